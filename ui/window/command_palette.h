// Every action by its name: a field, and the actions with its words under it, best first. Made from the same tables as
// the menus. Esc, or a click beside it, puts it away.
#pragma once
#include <QAbstractListModel>
#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <vector>

class QLabel;

namespace leasescope {

struct Command {
  QString text, menu;
  QPointer<QAction> action;
};

class CommandsModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kMenuRole = Qt::UserRole, kKeysRole };
  using QAbstractListModel::QAbstractListModel;

  void setCommands(std::vector<Command> all);
  // Those with every one of the words: first what begins with them, then what has words that do, what cannot be done
  // now last.
  void setWords(const QString& words);
  const Command& at(int row) const { return all_[shown_[static_cast<std::size_t>(row)]]; }
  int all() const { return static_cast<int>(all_.size()); }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  std::vector<Command> all_;
  std::vector<std::size_t> shown_;
};

class CommandPalette : public QWidget {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* window);
  void appear(std::vector<Command> all);

  QLineEdit* field() const { return field_; }
  QListView* list() const { return list_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void load();
  void choose(const QModelIndex& row);
  void leave();

  CommandsModel* model_;
  QLineEdit* field_;
  QLabel* count_;
  QListView* list_;
  QPointer<QWidget> before_;  // had the focus
};

}  // namespace leasescope
