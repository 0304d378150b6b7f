#include "ui/window/action_table.h"

#include <QActionGroup>
#include <QWidget>
#include <map>

#include "ui/panels/parts.h"

namespace leasescope {

ActionTable::ActionTable(std::vector<ActionSpec> specs, QWidget* home) : QObject(home), specs_(std::move(specs)) {
  std::map<int, QActionGroup*> choices;
  for (const ActionSpec& spec : specs_) {
    auto* action = new QAction(tr(spec.text), home);
    action->setShortcut(QKeySequence(QString::fromLatin1(spec.key)));
    if (spec.icon >= 0) action->setIcon(icon(static_cast<Icon>(spec.icon)));
    action->setIconVisibleInMenu(false);
    action->setToolTip(withKey(*action));
    action->setCheckable(spec.choice != 0);
    if (spec.choice > kOnOff) {
      QActionGroup*& group = choices[spec.choice];
      if (group == nullptr) group = new QActionGroup(this);
      group->addAction(action);
    }
    home->addAction(action);
    actions_.push_back(action);
  }
}

QAction* ActionTable::action(int which) const {
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (specs_[i].which == which) return actions_[i];
  Q_UNREACHABLE();
}

std::vector<KeyLine> ActionTable::keys() const {
  std::vector<KeyLine> out;
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (*specs_[i].key != '\0')
      out.push_back({tr(specs_[i].menu), QString::fromLatin1(specs_[i].key), plainText(*actions_[i])});
  out.insert(out.end(), told_.begin(), told_.end());
  return out;
}

QString plainText(const QAction& action) {
  QString text = action.text().remove(u'&');
  if (text.endsWith(u'…')) text.chop(1);
  return text;
}

}  // namespace leasescope
