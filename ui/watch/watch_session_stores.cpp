// Which stores a session watches: they are added, changed and left, and what a reader did can be undone.
#include <QUndoCommand>
#include <algorithm>
#include <utility>

#include "core/store/password.h"
#include "core/store/types/types.h"
#include "ui/models/words.h"
#include "ui/watch/watch_session.h"

namespace leasescope {
namespace {

bool sameServer(const StoreUrl& a, const StoreUrl& b) {
  return a.type == b.type && a.endpoint == b.endpoint && a.others == b.others && a.user == b.user &&
         a.sealed == b.sealed;
}

ObserverTerms lookOf(const StoreUrl& url, Foreign foreign) {
  ObserverTerms terms;
  terms.foreign = foreign;
  terms.beliefs = url.type->hears_beliefs_aside;
  return terms;
}

// The address that is shown has none of them, and of the same server they are not asked for again.
void keepPasswords(StoreUrl& url, const StoreUrl& of) {
  if (url.password.empty()) url.password = of.password;
  for (const auto& [name, value] : of.options)
    if (name.find("password") != std::string::npos) url.options.emplace(name, value);
}

}  // namespace

// One store goes, and another may come in its place. Stores are known by their addresses: places are given anew.
class StoresCommand : public QUndoCommand {
 public:
  StoresCommand(WatchSession& session, WatchedAs before, std::optional<WatchedAs> after, const QString& what)
      : QUndoCommand(what), session_(session), before_(std::move(before)), after_(std::move(after)) {}

  void redo() override {
    session_.leave(before_.url);
    if (after_) session_.take(*after_);
  }
  void undo() override {
    if (after_) session_.leave(after_->url);
    session_.take(before_);
  }

 private:
  WatchSession& session_;
  WatchedAs before_;
  std::optional<WatchedAs> after_;
};

tl::expected<StoreUrl, QString> WatchSession::urlOf(const QString& text, const QString& password,
                                                    std::optional<std::size_t> instead) const {
  auto url = parse_store_url(text.trimmed().toStdString());
  if (!url) return tl::unexpected(fromText(url.error()));
  if (!url->given)
    return tl::unexpected(tr("%1 alone would be a server of our own, with nothing in it: expected the address of a "
                             "store that is in use, such as %2")
                              .arg(text.trimmed(), fromText(url->type->forms.front())));
  if (url->type->observe == nullptr)
    return tl::unexpected(tr("%1 cannot be watched yet").arg(fromText(url->type->title)));
  if (!password.isEmpty()) url->password = password.toStdString();
  if (instead && sameServer(*url, urls_[*instead])) keepPasswords(*url, urls_[*instead]);
  if (const auto found = fill_password(*url); !found) return tl::unexpected(fromText(found.error()));
  return *url;
}

tl::expected<std::size_t, QString> WatchSession::add(const QString& text, const QString& password, Foreign foreign) {
  const auto url = urlOf(text, password);
  if (!url) return tl::unexpected(url.error());
  return add(*url, fromText(without_password(text.trimmed().toStdString())), foreign);
}

tl::expected<std::size_t, QString> WatchSession::add(const StoreUrl& url, const QString& address, Foreign foreign) {
  if (placeOf(url)) return tl::unexpected(tr("%1 is watched already").arg(fromText(printable(url))));
  return take({url, lookOf(url, foreign), address});
}

tl::expected<std::size_t, QString> WatchSession::replace(std::size_t store, const QString& text,
                                                         const QString& password, Foreign foreign) {
  if (!watches(store)) return tl::unexpected(tr("It is not watched any more"));
  const auto url = urlOf(text, password, store);
  if (!url) return tl::unexpected(url.error());
  if (const auto there = placeOf(*url); there && *there != store)
    return tl::unexpected(tr("%1 is watched already").arg(fromText(printable(*url))));
  WatchedAs after{*url, lookOf(*url, foreign), fromText(without_password(text.trimmed().toStdString()))};
  undo_.push(new StoresCommand(*this, watchedAs(store), std::move(after), tr("change a store")));
  return *placeOf(*url);
}

void WatchSession::remove(std::size_t store) {
  if (watches(store)) undo_.push(new StoresCommand(*this, watchedAs(store), {}, tr("watch a store no more")));
}

std::optional<std::size_t> WatchSession::placeOf(const StoreUrl& url) const {
  const std::string name = printable(url);
  for (std::size_t i = 0; i < urls_.size(); ++i)
    if (watches(i) && watch_->stores()[i]->name == name && urls_[i].options == url.options) return i;
  return {};
}

std::size_t WatchSession::take(const WatchedAs& as) {
  if (const auto there = placeOf(as.url)) return *there;
  const bool first = watch_ == nullptr;
  if (first) make();
  const std::size_t place = watch_->add(printable(as.url), [this, &as](ObserverListener& listener) {
    return as.url.type->observe(loop_, as.url, as.look, listener);
  });
  const std::size_t many = std::max(urls_.size(), place + 1);
  urls_.resize(many);
  looks_.resize(many);
  addresses_.resize(many);
  errors_.resize(many);
  urls_[place] = as.url;
  looks_[place] = as.look;
  addresses_[place] = as.address.isEmpty() ? fromText(printable(as.url)) : as.address;
  errors_[place] = {};
  if (first) begin();
  headRecording();
  emit storesChanged();
  tick();
  return place;
}

void WatchSession::leave(const StoreUrl& url) {
  const auto place = placeOf(url);
  if (!place) return;
  watch_->remove(*place);
  emit storesChanged();
  tick();
}

void WatchSession::noteErrors() {
  for (std::size_t i = 0; i < errors_.size(); ++i) {
    const WatchedStore& store = *watch_->stores()[i];
    if (store.observer != nullptr && store.blind && !store.why.empty()) errors_[i] = {fromText(store.why), liveNow()};
  }
}

}  // namespace leasescope
