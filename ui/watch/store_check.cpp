#include "ui/watch/store_check.h"

#include "core/store/store_type.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kPatienceMs = 5000;
// When all was seen remarks may be on their way; and where one server of several does not answer another may.
constexpr int kSoonMs = 300;

}  // namespace

StoreCheck::StoreCheck(QObject* parent) : QObject(parent) {
  patience_.setInterval(kPatienceMs);
  soon_.setInterval(kSoonMs);
  for (QTimer* timer : {&patience_, &soon_}) {
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, &StoreCheck::end);
  }
}

StoreCheck::~StoreCheck() = default;

void StoreCheck::begin(const StoreUrl& url, Foreign foreign) {
  cancel();
  title_ = fromText(url.type->title);
  mutexes_.clear();
  remarks_.clear();
  why_.clear();
  sighted_ = whole_ = false;
  ObserverTerms terms;
  terms.foreign = foreign;
  terms.beliefs = url.type->hears_beliefs_aside;
  observer_ = url.type->observe(loop_, url, terms, *this);
  patience_.start();
  observer_->begin();
}

void StoreCheck::cancel() {
  patience_.stop();
  soon_.stop();
  observer_.reset();
}

void StoreCheck::on_seen(const Sighting& seen) { mutexes_.insert(seen.mutex); }
void StoreCheck::on_heard(const HeardChange&) {}
void StoreCheck::on_hidden(const std::string&, std::string_view, TrueTime) {}

void StoreCheck::on_all_seen() {
  whole_ = true;
  soon_.start();
}

void StoreCheck::on_rest_refused(const std::string& why) {
  on_remark(why);
  soon_.start();
}

void StoreCheck::on_blind(TrueTime, const std::string& why) {
  why_ = fromText(why);
  if (!soon_.isActive()) soon_.start();
}

void StoreCheck::on_sighted() {
  sighted_ = true;
  why_.clear();
  soon_.stop();
}

void StoreCheck::on_remark(const std::string& remark) {
  if (const QString words = fromText(remark); !words.isEmpty() && !remarks_.contains(words)) remarks_ << words;
}

// From a timer: nobody calls an observer that goes.
void StoreCheck::end() {
  const bool answers = sighted_ && why_.isEmpty();
  const QString words = !why_.isEmpty() ? why_
                        : sighted_      ? account()
                                        : tr("No answer within %1: is it running, and is this its address?")
                                         .arg(spanText(std::chrono::milliseconds(patience_.interval())));
  cancel();
  emit ended(answers, words, remarks_);
}

QString StoreCheck::account() const {
  const std::string server = observer_->server();
  const QString mutexes = tr("%1 mutex(es)", nullptr, howMany(mutexes_.size())).arg(countText(mutexes_.size()));
  QString out = tr("%1 answers in %2 · %3")
                    .arg(server.empty() ? title_ : fromText(server), spanText(observer_->figures().latency),
                         whole_ ? mutexes : tr("%1 so far").arg(mutexes));
  if (remarks_.isEmpty()) out += QStringLiteral(" · ") + tr("all rights that watching needs");
  return out;
}

}  // namespace leasescope
