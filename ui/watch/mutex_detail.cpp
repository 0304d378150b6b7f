#include "ui/watch/mutex_detail.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/watch/lease_bar.h"

namespace leasescope {

class LeaseView : public QWidget {
 public:
  LeaseView() { setFixedHeight(18); }
  void setBar(const LeaseBar& bar) {
    bar_ = bar;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintLeaseBar(painter, rect().adjusted(0, 1, 0, -1), bar_);
  }

 private:
  LeaseBar bar_;
};

namespace {

constexpr std::size_t kOwnersShown = 20;
constexpr std::size_t kQueueShown = 20;
constexpr std::size_t kHoldersShown = 20;
constexpr std::size_t kOwnedShown = 8;  // of the other mutexes of its owner

QLabel* rich() {
  auto* made = new WrappedLabel({});
  made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
  return made;
}

QString cell(const QString& html, bool muted = false) {
  return QStringLiteral("<td style=\"padding:1px 8px 1px 0;%1\">%2</td>")
      .arg(muted ? QStringLiteral("color:%1").arg(ink().muted.name()) : QString(), html);
}
// Not broken between its words.
QString whole(QString text) { return text.replace(u' ', QChar(QChar::Nbsp)); }

QString row(const QString& name, const QString& value) {
  return QStringLiteral("<tr>%1%2</tr>").arg(cell(name, true), cell(breakable(value.toHtmlEscaped())));
}
// A name, which may be long, over what is said of it.
QString entry(const QString& name, const QString& said) {
  return QStringLiteral(
             "<tr><td style=\"padding:1px 0 0 0\">%1</td></tr><tr><td style=\"padding:0 0 3px "
             "14px;color:%2\">%3</td></tr>")
      .arg(name, ink().muted.name(), said);
}
QString table(const QString& rows) {
  return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\">%1</table>").arg(rows);
}

// A label is laid out anew only where it says something else.
void say(QLabel* label, const QString& html) {
  if (label->text() != html) label->setText(html);
}

}  // namespace

MutexDetail::MutexDetail(WatchSession& session, MutexesPanel& mutexes, QWidget* parent)
    : QScrollArea(parent), session_(session), mutexes_(mutexes) {
  setObjectName(QStringLiteral("mutexDetail"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setBackgroundRole(QPalette::Button);
  setAccessibleName(tr("The chosen mutex"));
  auto* whole = new Pane(Ground::kPanel);
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(6);
  nothing_ = label(tr("Choose a mutex in the table: who owns it and who has owned it, who waits, and what stands in "
                      "the store is told here."),
                   12, 400, Ink::kMuted);
  static_cast<QLabel*>(nothing_)->setWordWrap(true);
  static_cast<QLabel*>(nothing_)->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  column->addWidget(nothing_);
  all_ = new QWidget;
  auto* told = new QVBoxLayout(all_);
  told->setContentsMargins(0, 0, 0, 0);
  told->setSpacing(6);
  name_ = new ElidedLabel;
  name_->setFont(label({}, 13, 600)->font());
  store_ = new ElidedLabel;
  store_->setForegroundRole(QPalette::PlaceholderText);
  store_->setElideMode(Qt::ElideMiddle);
  told->addWidget(name_);
  told->addWidget(store_);
  auto* head = new QHBoxLayout;
  head->setSpacing(6);
  head->addWidget(left_ = label({}, 18, 600));
  head->addWidget(of_ = label({}, 12, 400, Ink::kMuted), 1, Qt::AlignBottom);
  told->addLayout(head);
  told->addWidget(bar_ = new LeaseView);
  told->addWidget(facts_ = rich());
  beliefs_ = addSection(told, tr("Beliefs"), tr("as processes tell"), &beliefsPane_);
  owners_ = addSection(told, tr("Owners"), tr("since · for · token"), &ownersPane_);
  queue_ = addSection(told, tr("Wait queue"), {}, &queuePane_);
  raw_ = addSection(told, tr("In the store"), {}, &rawPane_);
  auto* copy = new QPushButton(tr("Copy"));
  copy->setObjectName(QStringLiteral("copyRaw"));
  connect(copy, &QPushButton::clicked, this, &MutexDetail::copyRaw);
  auto* commands = new QPushButton(tr("Copy as command"));
  commands->setObjectName(QStringLiteral("copyCommands"));
  commands->setToolTip(tr("What shows it at a shell, by the store's own client; without a password"));
  connect(commands, &QPushButton::clicked, this, &MutexDetail::copyCommands);
  copyCommands_ = commands;
  auto* copies = new QHBoxLayout;
  copies->setSpacing(6);
  copies->addWidget(copy);
  copies->addWidget(commands);
  copies->addStretch();
  static_cast<QVBoxLayout*>(rawPane_->layout())->addLayout(copies);
  told->addStretch();
  column->addWidget(all_, 1);
  setWidget(whole);
  connect(&mutexes_, &MutexesPanel::chosenChanged, this, &MutexDetail::load);
  connect(&session_, &WatchSession::lookedAt, this, &MutexDetail::load);
  connect(owners_, &QLabel::linkActivated, this,
          [this](const QString& at) { emit timeChosen(TrueTime(Duration(at.toLongLong()))); });
  load();
}

QLabel* MutexDetail::addSection(QVBoxLayout* column, const QString& title, const QString& note, QWidget** all) {
  *all = new QWidget;
  auto* pane = new QVBoxLayout(*all);
  pane->setContentsMargins(0, 6, 0, 0);
  pane->setSpacing(4);
  auto* head = new QHBoxLayout;
  head->addWidget(label(title, 12, 600));
  head->addStretch();
  if (!note.isEmpty()) head->addWidget(label(note, 11, 400, Ink::kMuted));
  pane->addLayout(head);
  QLabel* const text = rich();
  pane->addWidget(text);
  column->addWidget(*all);
  return text;
}

void MutexDetail::setAxis(const Axis& axis) {
  if (axis == axis_) return;
  axis_ = axis;
  load();
}

QString MutexDetail::moment(TrueTime at) const { return axis_.isWallClock() ? axis_.tickText(at, 0) : axis_.text(at); }

void MutexDetail::load() {
  const WatchedMutex* const of = mutexes_.chosen();
  nothing_->setVisible(of == nullptr);
  all_->setVisible(of != nullptr);
  if (of == nullptr) return;
  name_->setFullText(fromText(of->name));
  store_->setFullText(fromText(session_.watch()->stores()[of->source]->name));
  const WatchedRow row = session_.rowOf(*of);
  if (session_.past() == nullptr)
    loadNow(*of, row);
  else
    loadPast(*of, row);
  say(owners_, owners(*of));
  setAccessibleDescription(text());
}

void MutexDetail::loadNow(const WatchedMutex& of, const WatchedRow& now) {
  const Sighting& last = of.book.last();
  const bool unknown = now.state == WatchState::kNotObserved;
  const bool lease = !unknown && !now.owner.empty() && now.left.has_value();
  say(left_, unknown             ? tr("not observed")
             : now.owner.empty() ? tr("free")
             : lease             ? fromText(length_text(std::max(Duration::zero(), *now.left)))
                                 : tr("held"));
  const bool whole = of.book.whole();
  say(of_, lease && whole                 ? tr("of %1 lease left").arg(fromText(length_text(of.book.length())))
           : lease                        ? tr("lease left")
           : unknown || now.owner.empty() ? QString()
                                          : tr("no clock ends it"));
  const int at = mutexes_.model()->rowOf(&of);
  bar_->setVisible(at >= 0 && !now.owner.empty());
  if (at >= 0) bar_->setBar(mutexes_.model()->bar(at));
  say(facts_, facts(of, now));
  beliefsPane_->setVisible(of.maker.empty());  // other makers' processes tell nothing
  say(beliefs_, beliefs(of));
  queuePane_->setVisible(!last.queue.empty());
  say(queue_, queue(last));
  rawPane_->setVisible(!last.raw.empty());
  say(raw_, raw(last));
  copyCommands_->setVisible(!session_.rawCommands(of).empty());
}

// What its processes believed, who waited and what stood in the store is not kept.
void MutexDetail::loadPast(const WatchedMutex& of, const WatchedRow& then) {
  say(left_, fromText(leasescope::text(then.state)));
  say(of_, tr("at %1").arg(moment(session_.playhead())));
  bar_->hide();
  say(facts_, pastFacts(session_.past()->of(of), then));
  for (QWidget* pane : {beliefsPane_, queuePane_, rawPane_}) pane->hide();
}

QString MutexDetail::pastFacts(const MutexOwnership* of, const WatchedRow& then) const {
  const TrueTime at = session_.playhead();
  QString out = row(tr("State"), fromText(leasescope::text(then.state)));
  if (of == nullptr || !of->met()) return table(out + row(tr("Known"), tr("nothing yet")));
  const MutexOwnership::Moment found = of->at(at);
  if (found.unobserved != nullptr) {
    const UnobservedStretch& gap = *found.unobserved;
    out += row(tr("Not observed"), gap.lasts() ? tr("since %1").arg(moment(gap.begin))
                                               : tr("%1 – %2").arg(moment(gap.begin), moment(gap.end)));
  }
  if (at < *of->met()) out += row(tr("Known"), tr("first at %1").arg(moment(*of->met())));
  const auto put = [&](const QString& title, const OwnedStretch& each) {
    out += row(title, fromText(session_.history()->names.text(each.owner)));
    if (each.token != kNoToken) out += row(tr("Token"), QString::number(each.token));
    out += row(tr("Since"), moment(each.begin_hi));
    out += row(tr("Until"), each.lasts() ? tr("it lasts")
                                         : tr("%1, %2").arg(moment(each.end_hi), fromText(leasescope::text(each.end))));
  };
  for (const OwnedStretch* each : found.surely) put(found.unobserved == nullptr ? tr("Owner") : tr("Last seen"), *each);
  for (const OwnedStretch* each : found.perhaps) put(tr("Perhaps"), *each);
  if (then.state == WatchState::kFree) out += row(tr("Owner"), tr("nobody"));
  return table(out);
}

QString MutexDetail::facts(const WatchedMutex& of, const WatchedRow& now) const {
  const Sighting& last = of.book.last();
  const auto lasting = [&] {
    return (now.lasts_most ? QString() : QStringLiteral("≥ ")) + fromText(length_text(now.lasts_least));
  };
  QString out = row(tr("State"), fromText(state_text(now)));
  out += holders(now) + ownsAlso(of, now);
  const bool exact = now.lasts_most.has_value();
  out += row(tr("Since"), (exact ? QString() : tr("before ")) + moment(of.book.since_hi()) + QStringLiteral(" · ") +
                              whole(lasting()));
  if (exact && *now.lasts_most - now.lasts_least >= std::chrono::milliseconds(10))
    out += row(tr("Known within"), spanText(*now.lasts_most - now.lasts_least));
  if (now.token != kNoToken) out += row(tr("Token"), QString::number(now.token));
  if (of.book.renewed() != TrueTime::min() && !now.owner.empty())
    out +=
        row(tr("Last renewal seen"), tr("%1 ago").arg(fromText(length_text(session_.liveNow() - of.book.renewed()))));
  const QString counted = fromText(counted_text(now));
  out += row(tr("Waiters"), !now.waiters        ? tr("the store does not tell")
                            : counted.isEmpty() ? countText(*now.waiters)
                                                : tr("%1, %2").arg(countText(*now.waiters), counted));
  out += row(tr("System"), fromText(system_text(last)));
  out += row(tr("Looked at"), tr("%1 ago").arg(fromText(length_text(std::max(Duration::zero(), now.age)))));
  return table(out);
}

QString MutexDetail::holders(const WatchedRow& now) const {
  if (now.holders.empty()) return row(tr("Owner"), tr("nobody"));
  if (now.held < 2 && !now.permits) return row(tr("Owner"), fromText(now.holders.front()));
  QString out = row(tr("Owned by"), now.permits ? tr("%1 of %2").arg(countText(now.held), countText(*now.permits))
                                                : countText(now.held));
  const std::size_t shown = std::min(kHoldersShown, now.holders.size());
  for (std::size_t i = 0; i < shown; ++i) out += row({}, fromText(now.holders[i]));
  const std::size_t more = now.holders.size() - shown + now.unread;
  return more > 0 ? out + row({}, tr("and %1 more").arg(countText(more))) : out;
}

// Other mutexes that one of its owners is known to own now.
QString MutexDetail::ownsAlso(const WatchedMutex& of, const WatchedRow& now) const {
  if (now.holders.empty() || now.state == WatchState::kNotObserved) return {};
  QStringList names;
  std::size_t count = 0;
  for (const WatchedMutex* const each : session_.watch()->held_by(now.holders)) {
    if (each == &of || each->book.known() != SeenMutex::Known::kHeld) continue;
    if (++count <= kOwnedShown) names << fromText(each->shown);
  }
  if (count == 0) return {};
  const QString all = names.join(QStringLiteral(", "));
  const QString label =
      now.holders.size() == 1 ? tr("Owns also") : tr("Own also", nullptr, howMany(now.holders.size()));
  return row(label, count > kOwnedShown ? tr("%1 and %2 more").arg(all, countText(count - kOwnedShown)) : all);
}

QString MutexDetail::beliefs(const WatchedMutex& of) const {
  if (of.beliefs == nullptr || of.beliefs->all().empty())
    return fromText(std::string(no_beliefs_words(session_.hearsBeliefs(of.source)))).toHtmlEscaped();
  QString out;
  for (const ToldBelief& each : of.beliefs->all()) {
    QString words = fromText(belief_words(each, session_.liveNow()));
    if (each.owns && each.until_hi != TrueTime::max()) words += tr(", until %1").arg(moment(each.until_hi));
    words += QStringLiteral("; ") + fromText(clock_words(each, session_.epochNs().value_or(0)));
    out += entry(breakable(fromText(each.said.owner).toHtmlEscaped()), words.toHtmlEscaped());
  }
  return table(out);
}

QString MutexDetail::owners(const WatchedMutex& of) const {
  QString out;
  std::size_t shown = 0;
  for (auto term = of.terms.rbegin(); term != of.terms.rend() && shown < kOwnersShown; ++term, ++shown) {
    const bool lasts = term->end == TrueTime::max();
    // Of what is not observed it is known until the last look.
    const bool known = of.book.known() != SeenMutex::Known::kNothing;
    const TrueTime end = !lasts ? term->end : known ? session_.liveNow() : of.book.last().answered;
    const Duration length = std::max(Duration::zero(), end - term->begin_hi);
    const QString least = term->begin_lo == TrueTime::min() || (lasts && !known) ? QStringLiteral("≥ ") : QString();
    const std::string owner(session_.history()->names.text(term->owner));
    const int hue = std::max(0, session_.cast().placeOf(owner)) % kIdentities;
    const QString mark = term->owner.empty() ? QStringLiteral("▯")
                                             : QStringLiteral("<span style=\"color:%1\">▮</span>")
                                                   .arg(ink().id[static_cast<std::size_t>(hue)].ink.name());
    const QString since = QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                              .arg(term->begin_hi.time_since_epoch().count())
                              .arg(ink().text.name(), moment(term->begin_hi).toHtmlEscaped());
    const QString who = breakable((term->owner.empty() ? tr("free") : fromText(owner)).toHtmlEscaped());
    QStringList said{(term->begin_lo == TrueTime::min() ? whole(QStringLiteral("≤ ")) : QString()) + since,
                     whole(least + fromText(length_text(length)))};
    if (term->token != kNoToken) said << QStringLiteral("#%1").arg(term->token);
    out += entry(mark + u' ' + who, said.join(QStringLiteral(" · ")));
  }
  return table(out);
}

QString MutexDetail::queue(const Sighting& last) const {
  QString out;
  for (std::size_t i = 0; i < std::min(last.queue.size(), kQueueShown); ++i)
    out += row(QString::number(i + 1), fromText(last.queue[i]));
  if (last.queue.size() > kQueueShown)
    out += row({}, tr("and %1 more").arg(countText(last.queue.size() - kQueueShown)));
  return table(out);
}

QString MutexDetail::raw(const Sighting& last) const {
  QString out;
  for (const auto& [key, value] : last.raw) out += row(breakable(fromText(key).toHtmlEscaped()), fromText(value));
  return table(out);
}

QString MutexDetail::text() const {
  const WatchedMutex* const of = mutexes_.chosen();
  if (of == nullptr) return {};
  const WatchedRow now = session_.rowOf(*of);
  QStringList out{fromText(of->name), fromText(leasescope::text(now.state))};
  if (!now.owner.empty()) out << fromText(now.owner);
  if (now.token != kNoToken) out << tr("token %1").arg(now.token);
  return out.join(QStringLiteral(", "));
}

void MutexDetail::copyRaw() {
  const WatchedMutex* const of = mutexes_.chosen();
  if (of == nullptr) return;
  QString out;
  for (const auto& [key, value] : of->book.last().raw) out += fromText(key) + u'\t' + fromText(value) + u'\n';
  QGuiApplication::clipboard()->setText(out);
}

// A line each.
void MutexDetail::copyCommands() {
  const WatchedMutex* const of = mutexes_.chosen();
  if (of == nullptr) return;
  QString out;
  for (const std::string& each : session_.rawCommands(*of)) out += fromText(each) + u'\n';
  QGuiApplication::clipboard()->setText(out);
}

}  // namespace leasescope
