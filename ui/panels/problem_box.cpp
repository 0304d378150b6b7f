#include "ui/panels/problem_box.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/look/fonts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kLine = 18;
constexpr int kNumbers = 44;

// The lines around the fault; the place is underlined.
class Excerpt : public QWidget {
 public:
  explicit Excerpt(const Problem& problem) : problem_(problem) {
    setFont(leasescope::font(Face::kMono, measures().font_small));
    setFixedHeight(static_cast<int>(problem.excerpt.size()) * kLine + 14 + 12);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    QPainter painter(this);
    painter.fillRect(rect(), c.chart);
    int y = 6;
    for (qsizetype i = 0; i < problem_.excerpt.size(); ++i) {
      const int number = problem_.excerptFrom + static_cast<int>(i);
      const bool here = number == problem_.line;
      if (here) painter.fillRect(0, y, width(), kLine, c.critical_tint);
      painter.setPen(c.muted);
      painter.drawText(QRect(0, y, kNumbers - 10, kLine), Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
      painter.setPen(c.text);
      const QString shown = fontMetrics().elidedText(problem_.excerpt[i], Qt::ElideRight, width() - kNumbers - 12);
      painter.drawText(QRect(kNumbers, y, width() - kNumbers, kLine), Qt::AlignVCenter, shown);
      y += kLine;
      if (!here) continue;
      const int at =
          kNumbers + fontMetrics().horizontalAdvance(problem_.excerpt[i].left(std::max(0, problem_.column - 1)));
      const qsizetype rest = problem_.excerpt[i].size() - std::max(0, problem_.column - 1);
      painter.setPen(c.crit_text);
      painter.drawText(QPoint(at, y + 9), QString(std::max<qsizetype>(1, rest), u'^'));
      y += 14;
    }
  }

 private:
  Problem problem_;
};

}  // namespace

ProblemBox::ProblemBox(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("problem"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 1);
  column->setSpacing(0);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(14, 9, 8, 9);
  head->setSpacing(10);
  auto* sign = new QLabel;
  sign->setPixmap(icon(Icon::kWarn).pixmap(16, 16));
  connect(&Look::instance(), &Look::changed, sign, [sign] { sign->setPixmap(icon(Icon::kWarn).pixmap(16, 16)); });
  head->addWidget(sign, 0, Qt::AlignTop);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(title_ = label({}, 12, 600));
  message_ = label({}, 12);
  message_->setObjectName(QStringLiteral("problemMessage"));
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words->addWidget(message_);
  head->addLayout(words, 1);
  const auto flat = [&](Icon which, const QString& tip) {
    auto* button = new QToolButton;
    button->setIcon(icon(which));
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    head->addWidget(button, 0, Qt::AlignTop);
    return button;
  };
  connect(flat(Icon::kCopy, tr("Copy message")), &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(problem_.title + u'\n' + message_->text()); });
  connect(flat(Icon::kClose, tr("Dismiss")), &QToolButton::clicked, this, [this] { showProblem({}); });
  column->addLayout(head);
  excerpt_ = new QWidget;
  column->addWidget(excerpt_);
  hide();
}

void ProblemBox::showProblem(const Problem& problem) {
  problem_ = problem;
  setVisible(!problem.empty());
  if (problem.empty()) return;
  title_->setText(problem.title);
  QString place;
  if (problem.line > 0) place = tr("Line %1, column %2: ").arg(problem.line).arg(problem.column);
  QString said = place + problem.message;
  // A sentence begins large, but not a key of the scenario.
  if (!said.isEmpty() && !said.section(u' ', 0, 0).contains(u'.')) said[0] = said[0].toUpper();
  if (!said.endsWith(u'.')) said += u'.';
  message_->setText(problem.remains.isEmpty() ? said : said + u' ' + problem.remains);
  QWidget* old = excerpt_;
  excerpt_ = problem.excerpt.isEmpty() ? new QWidget : new Excerpt(problem);
  delete layout()->replaceWidget(old, excerpt_);
  old->deleteLater();
  if (problem.excerpt.isEmpty()) excerpt_->setFixedHeight(0);
}

void ProblemBox::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.fillRect(rect(), c.critical_tint);
  painter.fillRect(0, 0, 4, height(), c.critical);
  painter.fillRect(0, height() - 1, width(), 1, c.line);
}

}  // namespace leasescope
