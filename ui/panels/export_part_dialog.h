// Asks what of a watch is exported: all of it, or the stretch that is seen or was measured, and which mutexes.
#pragma once
#include <QButtonGroup>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/models/counted_time.h"
#include "ui/report/reported_part.h"

namespace leasescope {

// What there is to be chosen from.
struct PartOffer {
  std::pair<TrueTime, TrueTime> seen{};                     // on the chart
  std::optional<std::pair<TrueTime, TrueTime>> measured{};  // there; none: nothing was
  std::vector<std::string> mutexes{};                       // as the history calls them
  std::string chosen{};                                     // of these; empty: none is
  CountedTime time{};                                       // by which moments are told
};

class ExportPartDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ExportPartDialog(PartOffer offer, QWidget* parent = nullptr);

  WantedPart part() const;
  QRadioButton* all() const { return all_; }
  QRadioButton* seen() const { return seen_; }
  QRadioButton* measured() const { return measured_; }
  // Names with '*' and '?', commas between them; empty: all.
  QLineEdit* mutexes() const { return mutexes_; }
  QPushButton* button() const { return export_; }
  QString error() const { return error_->isHidden() ? QString() : error_->text(); }

 private:
  void check();
  std::vector<std::string> patterns() const;

  const PartOffer offer_;
  QRadioButton *all_, *seen_, *measured_;
  QLineEdit* mutexes_;
  QLabel* error_;
  QPushButton* export_;
};

}  // namespace leasescope
