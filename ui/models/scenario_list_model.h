// The scenarios to choose from: the built-in ones, then files opened; each with what it expects without and with fence.
#pragma once
#include <QAbstractListModel>
#include <vector>

#include "simulator/scenario/scenario.h"
#include "ui/models/glyph.h"

namespace leasescope {

class ScenarioListModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role : int {
    kNameRole = 0x0100 + 32,  // "gc-pause"
    kTitleRole,
    kSourceRole,   // what opens it: the built-in name or the file's path
    kWithoutRole,  // int(Glyph)
    kWithRole,
    kSearchRole,   // all that the search looks at
    kAboutRole,    // its text
    kExpectsRole,  // what comes of it, in words
    kLiveRole,     // true: it can also be run on a real store
    kStoresRole,   // the real stores it can be run on, by their titles; a QStringList
    kWorldsRole,   // where it can be run, in a sentence
  };

  explicit ScenarioListModel(QObject* parent = nullptr);

  void addBuiltIns();
  // Adds or renews a file's row. Returns its row.
  int addFile(const QString& path, const Scenario& scenario);
  int rowOf(const QString& source) const;

  // What was met when it was run, without and with fence: the most telling mark of each, and every kind of incident.
  struct Met {
    Glyph without = Glyph::kNone, with = Glyph::kNone;
    QStringList incidents;
  };
  void setMet(int row, const Met& met);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 signals:
  void rowWrittenAnew(int row);  // its file has another text, as far as is known

 private:
  struct Row {
    QString name, title, about, source, expects, disturbed, expected;
    QStringList met;
    QStringList stores;  // live
    Glyph without = Glyph::kNone, with = Glyph::kNone;
  };
  static Row rowFor(const Scenario& scenario, const QString& source);

  std::vector<Row> rows_;
};

}  // namespace leasescope
