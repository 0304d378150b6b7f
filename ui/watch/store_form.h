// The address of a store as fields: which store, by which way, its hosts, whose login, and what else its URL has. What
// there is comes from the list of store types; an address goes in, and comes out as it is edited.
#pragma once
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/store/url_form.h"

namespace leasescope {

struct StoreType;

class StoreForm : public QWidget {
  Q_OBJECT
 public:
  explicit StoreForm(QWidget* parent = nullptr);

  // Shows its parts, and says nothing of it; false: it is of no store that can be watched, and the fields stay.
  bool take(const QString& address);
  // Of no store yet.
  void clear();
  QString address() const;   // never with the password
  QString password() const;  // that was in what was taken
  // Marks the field without which the address would be right, or which it wants, and returns it; null: there is none.
  // Nothing is marked of an address that is right.
  QWidget* mark();
  void unmark();

  QComboBox* type() const { return type_; }
  QComboBox* way() const { return way_; }
  // By the word it has in a URL: "host", "port", "user", "cacert"; of the path by its title, "Database". Null: there is
  // none now.
  QWidget* field(const QString& name) const;

 signals:
  void edited();

 private:
  struct Field {
    QString name;
    QWidget* input;
    std::function<std::string(const UrlParts&)> get;
    std::function<void(UrlParts&, const std::string&)> set;
  };
  void show(const StoreType& type, const UrlWay& way);
  void chooseType(int place);
  void chooseWay(int place);
  void makeFields();
  void orderFields();
  void addField(const QString& name, const QString& title, const UrlOption& option, Field field);
  QWidget* inputOf(const UrlOption& option);
  QWidget* withButton(QLineEdit* line, const QString& title);
  void fill();
  void read();

  QFormLayout* rows_;
  QComboBox *type_, *way_;
  const StoreType* of_ = nullptr;
  const UrlWay* by_ = nullptr;
  UrlParts parts_;
  std::vector<Field> fields_;
  bool filling_ = false;
};

}  // namespace leasescope
