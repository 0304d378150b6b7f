#include "ui/panels/export_part_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>
#include <algorithm>

#include "core/history/mutex_title.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

constexpr int kWidth = 440;  // px: two moments with their dates

QString stretchText(const CountedTime& time, const std::pair<TrueTime, TrueTime>& of) {
  return QStringLiteral("%1 – %2").arg(time.figure(of.first), time.figure(of.second));
}

}  // namespace

ExportPartDialog::ExportPartDialog(PartOffer offer, QWidget* parent) : QDialog(parent), offer_(std::move(offer)) {
  setObjectName(QStringLiteral("exportPart"));
  setWindowTitle(tr("Export"));
  setMinimumWidth(kWidth);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(16, 14, 16, 14);
  rows->setSpacing(8);
  rows->addWidget(label(tr("Which time"), 12, 600));
  rows->addWidget(all_ = new QRadioButton(tr("&All that was seen")));
  rows->addWidget(seen_ = new QRadioButton(tr("What the &chart shows: %1").arg(stretchText(offer_.time, offer_.seen))));
  measured_ =
      new QRadioButton(offer_.measured ? tr("What was &measured: %1").arg(stretchText(offer_.time, *offer_.measured))
                                       : tr("What was &measured: nothing; drag over the chart with Shift"));
  measured_->setEnabled(offer_.measured.has_value());
  rows->addWidget(measured_);
  (offer_.measured ? measured_ : all_)->setChecked(true);
  rows->addWidget(label(tr("Which mutexes"), 12, 600));
  mutexes_ = new QLineEdit;
  mutexes_->setObjectName(QStringLiteral("exportMutexes"));
  mutexes_->setAccessibleName(tr("Only mutexes that are called so"));
  mutexes_->setClearButtonEnabled(true);
  mutexes_->setPlaceholderText(offer_.chosen.empty() ? tr("All of them, or orders, bills-*")
                                                     : tr("All of them, or %1").arg(fromText(offer_.chosen)));
  rows->addWidget(mutexes_);
  auto* one = new QPushButton(tr("Only the &chosen one"));
  one->setObjectName(QStringLiteral("exportChosen"));
  one->setAutoDefault(false);
  one->setVisible(!offer_.chosen.empty());
  rows->addWidget(one, 0, Qt::AlignLeft);
  error_ = label({}, 12, 400, Ink::kText);
  error_->setWordWrap(true);
  rows->addWidget(error_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  export_ = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
  rows->addWidget(buttons);
  export_->setDefault(true);  // a button that is in no dialog yet would be none of its
  connect(one, &QPushButton::clicked, this, [this] { mutexes_->setText(fromText(offer_.chosen)); });
  connect(mutexes_, &QLineEdit::textChanged, this, &ExportPartDialog::check);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  check();
}

std::vector<std::string> ExportPartDialog::patterns() const {
  // A name may have a comma in it.
  const std::string typed = mutexes_->text().trimmed().toStdString();
  if (std::find(offer_.mutexes.begin(), offer_.mutexes.end(), typed) != offer_.mutexes.end()) return {typed};
  std::vector<std::string> out;
  for (const QString& each : mutexes_->text().split(u',', Qt::SkipEmptyParts))
    if (const QString name = each.trimmed(); !name.isEmpty()) out.push_back(name.toStdString());
  return out;
}

void ExportPartDialog::check() {
  QString wrong;
  for (const std::string& pattern : patterns()) {
    const bool there = std::any_of(offer_.mutexes.begin(), offer_.mutexes.end(),
                                   [&](const std::string& each) { return is_called(pattern, each); });
    if (!there && wrong.isEmpty()) wrong = tr("No mutex was seen that is called %1").arg(fromText(pattern));
  }
  error_->setText(wrong);
  error_->setVisible(!wrong.isEmpty());
  setInvalid(mutexes_, !wrong.isEmpty());
  export_->setEnabled(wrong.isEmpty());
}

WantedPart ExportPartDialog::part() const {
  WantedPart out;
  if (seen_->isChecked()) out.stretch = offer_.seen;
  if (measured_->isChecked()) out.stretch = offer_.measured;
  out.mutexes = patterns();
  return out;
}

}  // namespace leasescope
