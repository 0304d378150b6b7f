#include "ui/panels/parts.h"

#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/look/fonts.h"
#include "ui/models/cast.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

QString familiarKeys(const QAction& action) { return action.shortcut().toString(QKeySequence::NativeText); }

QColor colourOf(Ink which) {
  switch (which) {
    case Ink::kMuted:
      return ink().muted;
    case Ink::kWarn:
      return ink().warn_text;
    case Ink::kCritical:
      return ink().crit_text;
    case Ink::kText:
      break;
  }
  return ink().text;
}

QColor colourOf(Ground ground) {
  switch (ground) {
    case Ground::kHeader:
      return ink().header;
    case Ground::kChart:
      return ink().chart;
    case Ground::kWindow:
      return ink().window;
    case Ground::kPanel:
      break;
  }
  return ink().panel;
}

}  // namespace

void setInk(QLabel* label, Ink which) {
  QPalette palette;
  palette.setColor(QPalette::WindowText, colourOf(which));
  label->setPalette(palette);
  label->setForegroundRole(QPalette::WindowText);  // else it follows the ground it lies on
}

namespace {

void setLook(QLabel* made, int px, int weight, Ink which, bool fixed) {
  made->setFont(leasescope::font(fixed ? Face::kMono : Face::kText, px, weight));
  if (which == Ink::kMuted) {
    made->setForegroundRole(QPalette::PlaceholderText);
  } else if (which != Ink::kText) {
    setInk(made, which);
    QObject::connect(&Look::instance(), &Look::changed, made, [made, which] { setInk(made, which); });
  }
}

}  // namespace

QLabel* label(const QString& text, int px, int weight, Ink which, bool fixed) {
  auto* made = new QLabel(text);
  setLook(made, px, weight, which, fixed);
  return made;
}

WrappedLabel::WrappedLabel(const QString& richText, int px, Ink which, bool fixed) {
  setLook(this, px, 400, which, fixed);
  setWordWrap(true);
  // What has no markup is not made a document of: to lay that out takes longer, and a panel has a dozen.
  const bool plain = !richText.isEmpty() && !richText.contains(u'<') && !richText.contains(u'&');
  setTextFormat(plain ? Qt::PlainText : Qt::RichText);
  setAlignment(Qt::AlignTop | Qt::AlignLeft);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setMinimumSize(1, 14);  // QLabel's own idea, for the narrowest width, is far too high
  setText(richText);
}

int WrappedLabel::heightForWidth(int width) const {
  if (text() != measured_ || font() != by_) {
    heights_.clear();
    measured_ = text();
    by_ = font();
  }
  const auto found = heights_.find(width);
  if (found != heights_.end()) return found->second;
  return heights_[width] = QLabel::heightForWidth(width);
}

QSize WrappedLabel::sizeHint() const {
  constexpr int kUsual = 240;  // of text in a panel at the side
  return {kUsual, heightForWidth(kUsual)};
}

QSize WrappedLabel::minimumSizeHint() const { return minimumSize(); }

QString breakable(const QString& richText) {
  constexpr int kShort = 8, kLong = 20;
  constexpr QChar kMayBreak(0x200b);
  QString out;
  int run = 0;  // letters since the last place to break at
  for (qsizetype i = 0; i < richText.size(); ++i) {
    const QChar c = richText[i];
    // A tag or an entity stays in one piece.
    const QChar close = c == u'<' ? u'>' : c == u'&' ? u';' : QChar();
    const qsizetype end = close.isNull() ? i : std::max(i, richText.indexOf(close, i));
    out += QStringView(richText).mid(i, end - i + 1);
    i = end;
    if (c == u'<') continue;
    run = c.isSpace() ? 0 : run + 1;
    if ((run < kShort || c.isLetterOrNumber()) && run < kLong) continue;
    out += kMayBreak;
    run = 0;
  }
  return out;
}

QWidget* verticalLine() {
  auto* line = new QWidget;
  line->setFixedSize(1, 20);
  line->setAutoFillBackground(true);
  line->setBackgroundRole(QPalette::Mid);
  return line;
}

QWidget* stretch() {
  auto* filler = new QWidget;
  filler->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  return filler;
}

QString withKey(const QAction& action) {
  const QString keys = familiarKeys(action);
  QString text = action.text();
  text.remove(u'&');
  return keys.isEmpty() ? text : QStringLiteral("%1  (%2)").arg(text, keys);
}

QToolButton* toolButton(QAction* action, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(action->text().remove(u'&'));
  return button;
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text) {
  setText(text);
  setAccessibleName(text);
}

QSize ElidedLabel::minimumSizeHint() const { return {12, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(text(), mode_, width());
  painter.drawText(rect(), static_cast<int>(alignment()), shown);
  const bool cut = shown != text();
  if (cut && (toolTip().isEmpty() || (ownTip_ && toolTip() != text()))) setToolTip(text()), ownTip_ = true;
  if (!cut && ownTip_) setToolTip({}), ownTip_ = false;
}

Switch::Switch(QWidget* parent) : QAbstractButton(parent) {
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Switch::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF track((width() - 26) / 2.0, (height() - 14) / 2.0, 26, 14);
  painter.setPen(isEnabled() ? (isChecked() ? c.accent : c.line_strong) : c.line);
  painter.setBrush(isChecked() ? (isEnabled() ? c.accent : c.faint) : c.input);
  painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
  painter.setPen(Qt::NoPen);
  painter.setBrush(isChecked() ? c.on_accent : c.line_strong);
  painter.drawEllipse(QRectF(track.left() + (isChecked() ? 15 : 3), track.top() + 3, 8, 8));
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(c.focus);
  painter.drawRoundedRect(track.adjusted(-1.5, -2.5, 1.5, 2.5), 9, 9);
}

namespace {

constexpr int kBetweenCaps = 3;

int capWidth(const QFontMetrics& metrics, const QString& key) {
  return std::max(18, metrics.horizontalAdvance(key) + 10);
}

}  // namespace

// Of several keys, as in "[ ]", a cap each side by side.
KeyCap::KeyCap(const QString& key, QWidget* parent) : QWidget(parent), key_(key) {
  setFont(leasescope::font(Face::kMono, 10, 500));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize KeyCap::sizeHint() const {
  int width = -kBetweenCaps;
  for (const QString& key : key_.split(u' ')) width += capWidth(fontMetrics(), key) + kBetweenCaps;
  return {width, 18};
}

void KeyCap::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  int left = 0;
  for (const QString& key : key_.split(u' ')) {
    const QRect cap(left, 0, capWidth(fontMetrics(), key), height());
    painter.setPen(c.line_strong);
    painter.setBrush(c.input);
    painter.drawRoundedRect(QRectF(cap).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(c.text);
    painter.drawText(cap, Qt::AlignCenter, key);
    left += cap.width() + kBetweenCaps;
  }
}

BadgeRow::BadgeRow(QWidget* parent) : QWidget(parent) { setFont(leasescope::font(Face::kMono, 11)); }

void BadgeRow::setItems(std::vector<Item> items) {
  items_ = std::move(items);
  QStringList names;
  for (const Item& item : items_) names << QStringLiteral("%1 %2").arg(Cast::letter(item.place), item.text);
  setAccessibleName(names.join(u' '));
  updateGeometry();
  update();
}

QSize BadgeRow::sizeHint() const {
  int width = 0;
  for (const Item& item : items_) width += badgeWidth(item.place) + 4 + fontMetrics().horizontalAdvance(item.text) + 10;
  return {width, kBadge};
}

void BadgeRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  int x = 0;
  for (const Item& item : items_) {
    const int y = (height() - kBadge) / 2;
    paintBadge(painter, {x, y}, item.place, Look::instance().theme());
    x += badgeWidth(item.place) + 4;
    painter.setPen(ink().text);
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, item.text);
    x += fontMetrics().horizontalAdvance(item.text) + 10;
  }
}

GlyphView::GlyphView(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

void GlyphView::setGlyph(Glyph glyph) {
  glyph_ = glyph;
  update();
}

void GlyphView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (glyph_ != glyph_of(IncidentKind::kBeliefOverlap) && glyph_ != glyph_of(IncidentKind::kDoubleGrant)) {
    paintGlyph(painter, rect(), glyph_, Look::instance().theme());
    return;
  }
  // Wide, so that the tape can be recognised.
  const Colours& c = ink();
  const QRect box(0, 2, 20, 12);
  if (glyph_ == glyph_of(IncidentKind::kBeliefOverlap))
    paintTile(painter, box, Tile::kOverlap, c.overlap_ink, c.overlap);
  else
    paintTile(painter, box, Tile::kCritical, c.on_critical, c.critical);
  painter.setPen(c.text);
  painter.drawRect(box.adjusted(0, 0, -1, -1));
}

Pane::Pane(Ground ground, QWidget* parent) : QWidget(parent), ground_(ground) {}

void Pane::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colourOf(ground_));
  const QColor line = ink().line;
  if (edges_ & Qt::TopEdge) painter.fillRect(0, 0, width(), 1, line);
  if (edges_ & Qt::BottomEdge) painter.fillRect(0, height() - 1, width(), 1, line);
  if (edges_ & Qt::LeftEdge) painter.fillRect(0, 0, 1, height(), line);
  if (edges_ & Qt::RightEdge) painter.fillRect(width() - 1, 0, 1, height(), line);
}

DockTitle::DockTitle(QDockWidget* dock, const QString& title) : Pane(Ground::kHeader, dock) {
  auto* head = new QWidget;
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(10, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(label(title, 12, 600));
  note_ = label({}, 12, 400, Ink::kMuted);
  row->addWidget(note_);
  build(dock, head);
}

DockTitle::DockTitle(QDockWidget* dock, QWidget* head) : Pane(Ground::kHeader, dock) { build(dock, head); }

void DockTitle::build(QDockWidget* dock, QWidget* head) {
  setEdges(Qt::BottomEdge);
  setFixedHeight(measures().dock_title);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 4, 0);
  row->setSpacing(0);
  row->addWidget(head);
  gap_ = stretch();
  row->addWidget(gap_);
  const auto button = [&](Icon which, const QString& tip, auto act) {
    auto* made = new QToolButton(this);
    made->setIcon(icon(which));
    made->setIconSize({12, 12});
    made->setAutoRaise(true);
    made->setFixedSize(22, 20);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setFocusPolicy(Qt::NoFocus);  // a key that was meant for the run must not close a panel
    connect(made, &QToolButton::clicked, dock, act);
    row->addWidget(made);
  };
  button(Icon::kFloat, tr("Float or dock this panel"), [dock] { dock->setFloating(!dock->isFloating()); });
  button(Icon::kClose, tr("Close this panel"), [dock] { dock->close(); });
}

void DockTitle::setNote(const QString& note) {
  if (note_) note_->setText(note);
}

void DockTitle::addAtRight(QWidget* widget) {
  auto* row = static_cast<QHBoxLayout*>(layout());
  row->insertWidget(row->indexOf(gap_) + 1, widget);
}

}  // namespace leasescope
