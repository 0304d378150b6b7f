#include "ui/panels/selection_panel.h"

#include <QGridLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/story.h"
#include "ui/models/words.h"
#include "ui/panels/pane_layout.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr std::size_t kSoonMadeAgain = 100'000;  // events of a run

// The card's ground says how bad it is: amber for two who believe, red for broken safety, plain for the rest.
class Card : public QWidget {
 public:
  explicit Card(IncidentKind kind) : kind_(kind) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    const bool broken = severity(kind_) == 1 || kind_ == IncidentKind::kFenceRegression;
    const bool overlap = kind_ == IncidentKind::kBeliefOverlap;
    QPainter painter(this);
    painter.fillRect(rect(), broken ? c.critical_tint : overlap ? c.overlap_tint : c.chart_alt);
    painter.fillRect(0, 0, 4, height(), broken ? c.critical : overlap ? c.overlap : c.line_strong);
    painter.fillRect(0, height() - 1, width(), 1, c.line);
  }

 private:
  IncidentKind kind_;
};

QLabel* wrapped(const QString& text, int px, Ink which = Ink::kText, bool fixed = false) {
  return new WrappedLabel(breakable(text), px, which, fixed);
}

}  // namespace

SelectionPanel::SelectionPanel(Session& session, QWidget* parent) : QScrollArea(parent), session_(session) {
  setObjectName(QStringLiteral("selectionPanel"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setBackgroundRole(QPalette::Button);
  setAccessibleName(tr("Selection"));
  show(-1);
  connect(&session, &Session::incidentSelected, this, &SelectionPanel::show);
  connect(&session, &Session::finished, this, [this] { show(session_.selectedIncident()); });
  connect(&session, &Session::runReset, this, [this] { show(-1); });
  connect(&session, &Session::timeCounted, this, [this] { show(session_.selectedIncident()); });
  connect(&search_, &PreventionSearch::ended, this, &SelectionPanel::tellRemedies);
}

QSize SelectionPanel::sizeHint() const { return {292, widget() ? widget()->sizeHint().height() : 380}; }

QWidget* SelectionPanel::nothing() const {
  QVBoxLayout* column = nullptr;
  QWidget* pane = section(column, false);
  column->addWidget(
      wrapped(tr("Select an incident in the list or on the chart: its cause and how it came about are told here."), 12,
              Ink::kMuted));
  column->addStretch();
  return pane;
}

QWidget* SelectionPanel::card(const Incident& incident) const {
  auto* card = new Card(incident.kind);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(14, 8, 12, 11);
  column->setSpacing(4);
  auto* head = new QHBoxLayout;
  head->setSpacing(6);
  auto* glyph = new GlyphView;
  glyph->setGlyph(glyph_of(incident.kind));
  head->addWidget(glyph);
  head->addWidget(label(fromText(title(incident.kind)), 13, 600));
  head->addStretch();
  column->addLayout(head);
  column->addWidget(wrapped(accountOf(*session_.history(), session_.cast(), incident), 12));
  if (!note_.isEmpty()) {
    column->addSpacing(4);
    column->addWidget(label(tr("Note"), 11, 600, Ink::kMuted));
    column->addWidget(wrapped(note_.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")), 12));
  }
  return card;
}

QWidget* SelectionPanel::facts(const Incident& incident) const {
  const History& history = *session_.history();
  QVBoxLayout* column = nullptr;
  QWidget* pane = section(column);
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(3);
  grid->setColumnMinimumWidth(0, 84);
  grid->setColumnStretch(1, 1);
  const auto row = [&](const QString& name, QWidget* value) {
    const int at = grid->rowCount();
    grid->addWidget(label(name, 12, 400, Ink::kMuted), at, 0, Qt::AlignTop);
    grid->addWidget(value, at, 1);
  };
  const bool instant = incident.start == incident.end;
  const CountedTime& time = session_.time();
  const QString when = instant ? time.text(incident.start) : time.rangeText(incident.start, incident.end);
  row(instant ? tr("At") : tr("From – to"), label(when, 11, 400, Ink::kText, true));
  if (!incident.contenders.empty()) {
    auto* badges = new BadgeRow;
    std::vector<BadgeRow::Item> items;
    for (std::size_t i = 0; i < incident.contenders.size(); ++i) {
      const bool paired = incident.tokens.size() == incident.contenders.size();
      items.push_back({std::max(0, session_.cast().indexOf(history, incident.contenders[i])),
                       paired ? tokenText(incident.tokens[i]) : QString()});
    }
    badges->setItems(std::move(items));
    row(tr("Contenders"), badges);
  }
  if (incident.tokens.size() != incident.contenders.size() && !incident.tokens.empty()) {
    row(tr("Tokens"), label(tokensText(incident.kind, incident.tokens), 11, 400, Ink::kText, true));
  }
  if (incident.kind == IncidentKind::kBeliefOverlap || incident.kind == IncidentKind::kDoubleGrant) {
    const WriteCounts writes = writesOf(history, incident);
    row(tr("Double grants"), label(QString::number(writes.doubleGrants), 11, 400, Ink::kText, true));
    row(tr("Stale writes"), wrapped(tr("%1 rejected, %2 accepted").arg(writes.rejected).arg(writes.accepted), 12));
    if (writes.tokenless > 0)
      row(tr("No token"),
          wrapped(writes.tokenless == 1 ? tr("one write refused meanwhile")
                                        : tr("%n writes refused meanwhile", nullptr, howMany(writes.tokenless)),
                  12));
  } else if (!incident.mutex.empty()) {
    row(tr("Mutex"), wrapped(fromText(history.names.text(incident.mutex)).toHtmlEscaped(), 11, Ink::kText, true));
  }
  column->addLayout(grid);
  return pane;
}

QWidget* SelectionPanel::story(const Incident& incident) const {
  QVBoxLayout* column = nullptr;
  QWidget* pane = section(column, session_.repeatable() != nullptr);
  column->addWidget(label(tr("How it came about"), 12, 600));
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  int at = 0;
  for (const StoryLine& line : storyOf(*session_.history(), session_.cast(), incident)) {
    QLabel* time =
        label(session_.time().figure(line.at), 11, line.key ? 600 : 400, line.key ? Ink::kText : Ink::kMuted, true);
    grid->addWidget(time, at, 0, Qt::AlignTop);
    grid->addWidget(wrapped(line.text.toHtmlEscaped(), 11), at++, 1);
  }
  column->addLayout(grid);
  QLabel* margin = wrapped(marginOf(*session_.history(), incident).toHtmlEscaped(), 12);
  margin->setObjectName(QStringLiteral("margin"));
  column->addWidget(margin);
  column->addStretch();
  return pane;
}

// A long run is made again only when that is asked for: it takes a hundred of it.
QWidget* SelectionPanel::remedies(const Incident& incident) {
  QVBoxLayout* column = nullptr;
  QWidget* pane = section(column, false);
  pane->setObjectName(QStringLiteral("remedies"));
  column->addWidget(label(tr("What would have prevented it"), 12, 600));
  column->addWidget(remedies_ = wrapped({}, 11, Ink::kMuted));
  ask_ = new QPushButton(tr("Look for it"));
  ask_->setObjectName(QStringLiteral("lookForRemedies"));
  connect(ask_, &QPushButton::clicked, this, [this, incident] { look(incident); });
  cancel_ = new QPushButton(tr("Cancel"));
  cancel_->setObjectName(QStringLiteral("leaveRemedies"));
  cancel_->setAccessibleName(tr("Cancel looking for what would have prevented it"));
  connect(cancel_, &QPushButton::clicked, this, &SelectionPanel::leaveLooking);
  for (QPushButton* const button : {ask_.data(), cancel_.data()}) column->addWidget(button, 0, Qt::AlignLeft);
  cancel_->hide();
  if (session_.history()->events.size() <= kSoonMadeAgain)
    look(incident);
  else
    remedies_->hide();
  return pane;
}

void SelectionPanel::look(const Incident& incident) {
  remedies_->show();
  ask_->hide();
  cancel_->show();
  remedies_->setText(tr("Running it again with other settings…"));
  search_.begin(*session_.repeatable(), {incident.kind, std::string(session_.history()->names.text(incident.mutex))});
}

void SelectionPanel::leaveLooking() {
  search_.stop();
  if (!remedies_) return;
  cancel_->hide();
  ask_->show();
  remedies_->setText(tr("Cancelled: it is not known."));
}

void SelectionPanel::tellRemedies() {
  if (cancel_) cancel_->hide();
  const Scenario* scenario = session_.repeatable();
  if (!remedies_ || scenario == nullptr || prevention() == nullptr) return;
  if (!prevention()->again)
    return remedies_->setText(breakable(tr("Not known: this version does not make the same run again.")));
  if (prevention()->remedies.empty())
    return remedies_->setText(
        breakable(tr("No single setting of those that were tried, in %1 runs.").arg(prevention()->runs)));
  QString lines = tr("Each of these alone:");
  for (const Remedy& each : prevention()->remedies)
    lines += QStringLiteral("<br>· %1").arg(fromText(text(*scenario, each)).toHtmlEscaped());
  remedies_->setText(breakable(lines));
  remedies_->setAccessibleName(lines);
}

void SelectionPanel::setNote(const QString& note) {
  if (std::exchange(note_, note) != note) show(session_.selectedIncident());
}

void SelectionPanel::show(int index) {
  QWidget* content = nullptr;
  search_.stop();
  if (!session_.history() || index < 0 || static_cast<std::size_t>(index) >= session_.history()->incidents.size()) {
    content = nothing();
  } else {
    const Incident& incident = session_.history()->incidents[static_cast<std::size_t>(index)];
    content = new Pane(Ground::kPanel);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(card(incident));
    column->addWidget(facts(incident));
    column->addWidget(story(incident));
    if (session_.repeatable() != nullptr) column->addWidget(remedies(incident));
    column->addStretch(1);
  }
  setWidget(content);
}

}  // namespace leasescope
