#include "ui/watch/alerts_strip.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/observe/watched_row.h"
#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/watch/mute_menu.h"

namespace leasescope {
namespace {

constexpr int kHeight = 25;

}  // namespace

// One alert, or one store that is blind, which nobody can acknowledge away.
class AlertsStrip::Row : public QWidget {
 public:
  Row(AlertsStrip& strip, bool loud) : strip_(strip), loud_(loud) {
    setFixedHeight(kHeight);
    setCursor(Qt::PointingHandCursor);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 1);
    row->setSpacing(4);
    row->addStretch(1);
    for (QPushButton** button : {&seen_, &mute_}) {
      *button = new QPushButton;
      (*button)->setFixedHeight(20);
      row->addWidget(*button);
    }
    seen_->setText(tr("Acknowledge"));
    seen_->setObjectName(QStringLiteral("acknowledge"));
    mute_->setText(tr("Mute…"));
    mute_->setObjectName(QStringLiteral("mute"));
    connect(seen_, &QPushButton::clicked, this, [this] { strip_.session_.acknowledge(alert_); });
    connect(mute_, &QPushButton::clicked, this,
            [this] { strip_.askToMute(alert_, mute_->mapToGlobal(mute_->rect().bottomLeft())); });
  }
  void say(const WatchAlert& alert) {
    alert_ = alert.place;
    mutex_ = alert.mutex;
    name_ = alert.name;
    words_ = (alert.mutex.empty() ? QString() : fromText(alert.mutex) + QStringLiteral(": ")) + alert.words;
    length_ = tr("for %1").arg(fromText(length_text(alert.length)));
    seen_->setVisible(alert.place >= 0);
    mute_->setVisible(alert.place >= 0);
    setToolTip(text().toHtmlEscaped());
    setAccessibleName(text());
    update();
  }
  QString text() const { return QStringLiteral("%1 · %2 · %3").arg(name_, words_, length_); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    QPainter painter(this);
    painter.fillRect(rect(), loud_ ? c.accent : c.header);
    painter.fillRect(0, height() - 1, width(), 1, c.line);
    const QColor said = loud_ ? c.on_accent : c.text;
    paintIcon(painter, QRect(10, (height() - 17) / 2, 16, 16), Icon::kWarn, said);
    painter.setPen(said);
    int x = 32;
    const int right = (seen_->isVisible() ? seen_->x() : width()) - 10;
    const auto put = [&](const QString& text, const QFont& font) {
      const QFontMetrics metrics(font);
      const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(0, right - x));
      painter.setFont(font);
      painter.drawText(QRect(x, 0, std::max(0, right - x), height() - 1), Qt::AlignVCenter | Qt::AlignLeft, shown);
      x += metrics.horizontalAdvance(shown) + 10;
    };
    put(name_, leasescope::font(Face::kText, measures().font_body, 600));
    put(length_, leasescope::font(Face::kMono, measures().font_small));
    put(words_, leasescope::font(Face::kText, measures().font_body));
  }
  void mousePressEvent(QMouseEvent*) override {
    if (!mutex_.empty()) emit strip_.mutexWanted(mutex_);
  }

 private:
  AlertsStrip& strip_;
  bool loud_;
  std::ptrdiff_t alert_ = -1;
  std::string mutex_;
  QString name_, words_, length_;
  QPushButton *seen_, *mute_;
};

AlertsStrip::AlertsStrip(WatchSession& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("alerts"));
  muteMenu_ = new MuteMenu(session, this);
  connect(muteMenu_, &MuteMenu::chosen, this, [this](TrueTime until) { session_.mute(muted_, until); });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (int i = 0; i < kMostRows; ++i) {
    rows_.push_back(new Row(*this, i == 0));
    column->addWidget(rows_.back());
  }
  more_ = label({}, 11, 400, Ink::kMuted);
  more_->setContentsMargins(32, 2, 8, 3);
  column->addWidget(more_);
  connect(&session, &Session::settled, this, &AlertsStrip::load);
  connect(&session, &WatchSession::alertsChanged, this, &AlertsStrip::load);
  connect(&session, &Session::runReset, this, &AlertsStrip::load);
  load();
}

// Others may begin while its reader chooses: it is of this one.
void AlertsStrip::askToMute(std::ptrdiff_t alert, const QPoint& at) {
  muted_ = alert;
  muteMenu_->popup(at);
}

void AlertsStrip::load() {
  std::size_t count = 0;
  const std::vector<WatchAlert> all = session_.alerts(kMostRows, &count);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i]->setVisible(i < all.size());
    if (i < all.size()) rows_[i]->say(all[i]);
  }
  const auto more = static_cast<int>(count) - kMostRows;
  more_->setVisible(more > 0);
  if (more > 0) more_->setText(tr("and %n more", nullptr, more));
  setVisible(!all.empty());
}

QString AlertsStrip::text() const {
  QStringList out;
  for (const Row* each : rows_)
    if (!each->isHidden()) out << each->text();
  if (!more_->isHidden()) out << more_->text();
  return out.join(u'\n');
}

}  // namespace leasescope
