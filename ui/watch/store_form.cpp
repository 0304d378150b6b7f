#include "ui/watch/store_form.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "core/store/types/types.h"
#include "ui/models/words.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

constexpr int kBefore = 2;  // rows that every store has: which it is, and by which way
constexpr int kMostPort = 65535;

QString textOf(const QWidget* input) {
  if (const auto* line = qobject_cast<const QLineEdit*>(input)) return line->text().trimmed();
  return static_cast<const QComboBox*>(input)->currentData().toString();
}

void setText(QWidget* input, const QString& text) {
  if (auto* line = qobject_cast<QLineEdit*>(input)) {
    if (line->text().trimmed() != text) line->setText(text);
    return;
  }
  auto* box = static_cast<QComboBox*>(input);
  int at = box->findData(text);
  if (at < 0) box->addItem(text, text), at = box->count() - 1;  // as it is written, right or not
  box->setCurrentIndex(at);
}

}  // namespace

StoreForm::StoreForm(QWidget* parent) : QWidget(parent) {
  rows_ = new QFormLayout(this);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setVerticalSpacing(6);
  rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  type_ = new QComboBox;
  type_->setObjectName(QStringLiteral("storeType"));
  type_->setAccessibleName(tr("Kind of store"));
  way_ = new QComboBox;
  way_->setObjectName(QStringLiteral("storeWay"));
  way_->setAccessibleName(tr("Way to the store"));
  rows_->addRow(tr("&Store"), type_);
  rows_->addRow(tr("&Way"), way_);
  for (const StoreType* type : watched_types())
    if (!type->ways.empty()) type_->addItem(fromText(type->title), fromText(type->name()));
  connect(type_, &QComboBox::activated, this, &StoreForm::chooseType);
  connect(way_, &QComboBox::activated, this, &StoreForm::chooseWay);
  clear();
}

void StoreForm::clear() {
  const StoreType& first = *find_store_type(type_->itemData(0).toString().toStdString());
  parts_ = {};
  parts_.scheme = first.ways.front().scheme;
  parts_.path.resize(first.ways.front().path.size());
  unmark();
  show(first, first.ways.front());
}

// Another word for a scheme, "zk://", goes the store's first way.
bool StoreForm::take(const QString& address) {
  const std::string text = address.trimmed().toStdString();
  for (const StoreType* type : watched_types())
    for (const std::string_view scheme : type->schemes) {
      if (!std::string_view(text).starts_with(scheme) || type->ways.empty()) continue;
      const UrlWay* way = way_of(text, type->ways);
      if (way == nullptr) way = &type->ways.front();
      parts_ = url_parts(text, scheme, *way);
      show(*type, *way);
      return true;
    }
  return false;
}

QString StoreForm::address() const { return fromText(url_without_password(parts_, *by_)); }
QString StoreForm::password() const { return fromText(parts_.password); }

QWidget* StoreForm::field(const QString& name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& each) { return each.name == name; });
  return found == fields_.end() ? nullptr : found->input;
}

void StoreForm::show(const StoreType& type, const UrlWay& way) {
  const bool other = std::exchange(by_, &way) != &way;
  if (std::exchange(of_, &type) != &type) {
    type_->setCurrentIndex(type_->findData(fromText(type.name())));
    way_->clear();
    for (const UrlWay& each : type.ways) way_->addItem(fromText(each.title));
    way_->setEnabled(type.ways.size() > 1);
  }
  way_->setCurrentIndex(static_cast<int>(&way - type.ways.data()));
  if (other) makeFields();
  fill();
}

// Of another store the host and the user are kept: what else there was is another thing there.
void StoreForm::chooseType(int place) {
  const StoreType& type = *find_store_type(type_->itemData(place).toString().toStdString());
  if (&type == of_) return;
  const UrlWay& way = type.ways.front();
  UrlParts next;
  next.scheme = way.scheme;
  next.host = parts_.host.find(',') == std::string::npos ? parts_.host : std::string();
  next.user = parts_.user;
  next.path.resize(way.path.size());
  parts_ = next;
  show(type, way);
  emit edited();
}

// What has the same title stays; options that the new way has no field for, and the old one had, go.
void StoreForm::chooseWay(int place) {
  const UrlWay& next = of_->ways[static_cast<std::size_t>(place)];
  if (&next == by_) return;
  std::vector<std::string> path(next.path.size());
  for (std::size_t i = 0; i < next.path.size(); ++i)
    for (std::size_t old = 0; old < by_->path.size() && old < parts_.path.size(); ++old)
      if (by_->path[old] == next.path[i]) path[i] = parts_.path[old];
  parts_.path = std::move(path);
  for (const UrlOption& old : by_->options)
    if (std::none_of(next.options.begin(), next.options.end(), [&](const UrlOption& o) { return o.name == old.name; }))
      parts_.set_option(old.name, {});
  parts_.scheme = next.scheme;
  if (next.port == 0) parts_.host.clear(), parts_.port.clear();
  show(*of_, next);
  emit edited();
}

void StoreForm::makeFields() {
  fields_.clear();
  while (rows_->rowCount() > kBefore) rows_->removeRow(kBefore);
  const UrlOption plain;
  if (by_->port != 0) {
    addField(QStringLiteral("host"), tr("&Host"), plain,
             {{},
              nullptr,
              [](const UrlParts& p) { return p.host; },
              [](UrlParts& p, const std::string& text) { p.host = text; }});
    auto* host = static_cast<QLineEdit*>(fields_.back().input);
    host->setPlaceholderText(QStringLiteral("127.0.0.1"));
    host->setToolTip(tr("Several by commas, with their ports: one:%1,two:%1").arg(by_->port));
    addField(QStringLiteral("port"), tr("P&ort"), plain,
             {{},
              nullptr,
              [](const UrlParts& p) { return p.port; },
              [](UrlParts& p, const std::string& text) { p.port = text; }});
    auto* port = static_cast<QLineEdit*>(fields_.back().input);
    port->setPlaceholderText(QString::number(by_->port));
    port->setValidator(new QIntValidator(1, kMostPort, port));
  }
  for (std::size_t i = 0; i < by_->path.size(); ++i)
    addField(fromText(by_->path[i]), fromText(by_->path[i]), plain,
             {{},
              nullptr,
              [i](const UrlParts& p) { return i < p.path.size() ? p.path[i] : std::string(); },
              [i](UrlParts& p, const std::string& text) {
                p.path.resize(std::max(p.path.size(), i + 1));
                p.path[i] = text;
              }});
  addField(QStringLiteral("user"), tr("&User"), plain,
           {{},
            nullptr,
            [](const UrlParts& p) { return p.user; },
            [](UrlParts& p, const std::string& text) { p.user = text; }});
  for (const UrlOption& option : by_->options)
    addField(fromText(option.name), fromText(option.title), option,
             {{},
              nullptr,
              [name = option.name](const UrlParts& p) { return p.option(name); },
              [name = option.name](UrlParts& p, const std::string& text) { p.set_option(name, text); }});
  orderFields();
}

// They were made after what lies below them.
void StoreForm::orderFields() {
  QWidget* last = way_;
  for (const Field& each : fields_) {
    setTabOrder(last, each.input);
    last = each.input;
    if (each.input->parentWidget() == this) continue;
    if (auto* const button = each.input->parentWidget()->findChild<QPushButton*>()) {
      setTabOrder(last, button);
      last = button;
    }
  }
}

void StoreForm::addField(const QString& name, const QString& title, const UrlOption& option, Field field) {
  QWidget* const input = inputOf(option);
  input->setObjectName(QStringLiteral("store-") + name);
  input->setAccessibleName(QString(title).remove(u'&'));
  field.name = name;
  field.input = input;
  auto* label = new QLabel(title);
  label->setBuddy(input);
  QWidget* const shown = option.file ? withButton(static_cast<QLineEdit*>(input), input->accessibleName()) : input;
  rows_->addRow(label, shown);
  fields_.push_back(std::move(field));
}

QWidget* StoreForm::inputOf(const UrlOption& option) {
  if (option.choices.empty()) {
    auto* line = new QLineEdit;
    connect(line, &QLineEdit::textEdited, this, &StoreForm::read);
    return line;
  }
  auto* box = new QComboBox;
  box->addItem(tr("as the client does"), QString());
  for (const std::string_view choice : option.choices) box->addItem(fromText(choice), fromText(choice));
  connect(box, &QComboBox::activated, this, &StoreForm::read);
  return box;
}

QWidget* StoreForm::withButton(QLineEdit* line, const QString& title) {
  auto* both = new QWidget;
  auto* row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(line, 1);
  auto* choose = new QPushButton(tr("Choose…"));
  choose->setAccessibleName(tr("Choose the file: %1").arg(title));
  choose->setAutoDefault(false);
  row->addWidget(choose);
  connect(choose, &QPushButton::clicked, this, [this, line, title] {
    const QString path = QFileDialog::getOpenFileName(this, title, line->text());
    if (path.isEmpty()) return;
    line->setText(path);
    read();
  });
  return both;
}

void StoreForm::fill() {
  filling_ = true;
  for (const Field& each : fields_) setText(each.input, fromText(each.get(parts_)));
  if (QWidget* const port = field(QStringLiteral("port"))) {
    const bool several = parts_.host.find(',') != std::string::npos;
    port->setEnabled(!several);
    port->setToolTip(several ? tr("Of several hosts each has its port with it") : QString());
  }
  filling_ = false;
}

void StoreForm::read() {
  if (filling_) return;
  unmark();
  for (const Field& each : fields_) each.set(parts_, textOf(each.input).toStdString());
  fill();
  emit edited();
}

QWidget* StoreForm::mark() {
  unmark();
  const auto right = [this](const UrlParts& parts) {
    return parse_store_url(url_without_password(parts, *by_)).has_value();
  };
  if (right(parts_)) return nullptr;
  for (const Field& each : fields_) {
    const bool empty = each.get(parts_).empty();
    UrlParts other = parts_;
    each.set(other, !empty ? "" : by_->port == 0 ? "/0" : "0");
    if (!right(other)) continue;
    setInvalid(each.input, true);
    return each.input;
  }
  return nullptr;
}

void StoreForm::unmark() {
  for (const Field& each : fields_) setInvalid(each.input, false);
}

}  // namespace leasescope
