// Names and values of one table of a scenario, each under the other: a key that is changed is handed over, one that is
// refused keeps what was typed and says why. Filled anew it keeps its widgets, and with them the focus.
#pragma once
#include <QGridLayout>
#include <functional>
#include <string>
#include <vector>

#include "ui/lab/scenario_document.h"
#include "ui/lab/value_field.h"
#include "ui/panels/parts.h"

namespace leasescope {

struct FieldSpec {
  QString name;      // "write every"
  std::string path;  // "resource.0.write_every"
  QString about;
  ValueKind kind;
  QString value;  // as a reader types it
  friend bool operator==(const FieldSpec& a, const FieldSpec& b) {
    return a.path == b.path && a.kind == b.kind && a.name == b.name;
  }
};

class FieldGrid : public QWidget {
  Q_OBJECT
 public:
  using Take = std::function<ScenarioDocument::Edited(const std::string& path, const std::string& value)>;
  explicit FieldGrid(Take take, QWidget* parent = nullptr);

  void setFields(const std::vector<FieldSpec>& fields);
  QWidget* field(const std::string& path) const;
  QLabel* error() const { return error_; }

 private:
  struct Row {
    FieldSpec spec;
    ValueField* value = nullptr;
    QLabel* name = nullptr;
    bool refused = false;
  };
  void build(const std::vector<FieldSpec>& fields);
  void take(std::size_t row);
  void setRefused(Row& row, const QString& why);

  Take take_;
  QGridLayout* grid_;
  QLabel* error_;
  std::vector<Row> rows_;
};

// "11.9s": where a time stands in a list, seconds are easier to compare than the shortest exact form.
QString placeText(Duration d);

}  // namespace leasescope
