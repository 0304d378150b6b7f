#include "core/store/etcd/transfers.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

namespace leasescope::etcd {
namespace {

using std::chrono::milliseconds;

long ms(Duration of) { return static_cast<long>(std::chrono::ceil<milliseconds>(of).count()); }

// What OpenSSL's own programs are told by; libcurl does not look.
std::string authorities_of_environment() {
  const char* const file = std::getenv("SSL_CERT_FILE");
  return file != nullptr ? file : "";
}

// A stream may be silent for hours: that its server has gone without a word shows within four seconds.
int on_opened(void*, curl_socket_t descriptor, curlsocktype) {
  constexpr std::array<std::pair<int, int>, 3> kAlive{{{TCP_KEEPIDLE, 2}, {TCP_KEEPINTVL, 1}, {TCP_KEEPCNT, 2}}};
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
  for (const auto& [option, value] : kAlive) ::setsockopt(descriptor, IPPROTO_TCP, option, &value, sizeof(value));
  return CURL_SOCKOPT_OK;
}

}  // namespace

struct Transfers::Transfer {
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> words{};
  std::string came;  // and was not taken yet
  std::size_t most = 0;
  bool too_much = false;
  std::optional<HttpEnded> ended;
  Events events;

  ~Transfer() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
  }
};

Transfers::Transfers(Loop& loop, HttpTerms terms)
    : loop_(&loop), terms_(std::move(terms)), timer_(loop), failed_(loop) {
  static std::once_flag begun;
  std::call_once(begun, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  multi_ = curl_multi_init();
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Transfers::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Transfers::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
}

Transfers::~Transfers() {
  cancel_all();
  curl_multi_cleanup(multi_);
  for (const auto& [descriptor, of] : watched_) {
    loop_->unwatch(of.reads);
    loop_->unwatch(of.writes);
  }
}

Transfers::Id Transfers::begin(const HttpRequest& request, Events events) {
  const Id id = ++last_;
  Transfer& made = *(transfers_[id] = std::make_unique<Transfer>());
  made.events = std::move(events);
  made.most = request.most;
  made.easy = curl_easy_init();
  describe(made, request);
  if (curl_multi_add_handle(multi_, made.easy) != CURLM_OK) {
    made.ended = HttpEnded{0, false, "no request can be made"};
    failed_.arm(Duration::zero(), [this] { deliver(); });
  }
  return id;
}

void Transfers::describe(Transfer& transfer, const HttpRequest& request) {
  CURL* const easy = transfer.easy;
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.words.data());
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_PROXY, "");  // whatever the environment says
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // A name that is still looked up when its time is over, or that is cancelled, would hold up the loop for as long.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, ms(request.to_connect));
  if (request.at_most > Duration::zero()) curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, ms(request.at_most));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
  for (const std::string& header : {std::string("Content-Type: application/json"), std::string("Expect:"),
                                    request.authorization.empty() ? "" : "Authorization: " + request.authorization})
    if (!header.empty()) transfer.headers = curl_slist_append(transfer.headers, header.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Transfers::on_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, &on_opened);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  const std::string authorities = terms_.authorities.empty() ? authorities_of_environment() : terms_.authorities;
  if (!authorities.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, authorities.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);  // the system's would be trusted beside it
  }
  if (!terms_.certificate.empty()) curl_easy_setopt(easy, CURLOPT_SSLCERT, terms_.certificate.c_str());
  if (!terms_.key.empty()) curl_easy_setopt(easy, CURLOPT_SSLKEY, terms_.key.c_str());
  // A sealed key is refused: OpenSSL would ask for its words at the terminal, and wait.
  curl_easy_setopt(easy, CURLOPT_KEYPASSWD, "");
}

void Transfers::cancel(Id id) {
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return;
  curl_multi_remove_handle(multi_, found->second->easy);
  transfers_.erase(found);
}

void Transfers::cancel_all() {
  while (!transfers_.empty()) cancel(transfers_.begin()->first);
}

// ---- what libcurl calls, from within its own calls

int Transfers::on_socket(CURL*, int descriptor, int what, void* self, void*) {
  static_cast<Transfers*>(self)->watch(descriptor, what == CURL_POLL_IN || what == CURL_POLL_INOUT,
                                       what == CURL_POLL_OUT || what == CURL_POLL_INOUT);
  return 0;
}

int Transfers::on_timer(CURLM*, long ms, void* self) {
  Transfers* const of = static_cast<Transfers*>(self);
  if (ms < 0)
    of->timer_.cancel();
  else
    of->timer_.arm(milliseconds(ms), [of] { of->act(CURL_SOCKET_TIMEOUT, 0); });
  return 0;
}

std::size_t Transfers::on_bytes(char* bytes, std::size_t one, std::size_t count, void* transfer) {
  Transfer& of = *static_cast<Transfer*>(transfer);
  const std::size_t size = one * count;
  of.too_much = of.came.size() + size > of.most;
  if (of.too_much) return 0;  // which ends it
  of.came.append(bytes, size);
  return size;
}

// ---- and what the loop does

void Transfers::watch(int descriptor, bool reads, bool writes) {
  Watched& of = watched_[descriptor];
  const auto set = [&](Loop::WatchId& id, bool wanted, Readiness readiness, int ready) {
    if (!wanted) loop_->unwatch(std::exchange(id, 0));
    if (wanted && id == 0)
      id = loop_->watch(descriptor, readiness, [this, descriptor, ready] { act(descriptor, ready); });
  };
  set(of.reads, reads, Readiness::kRead, CURL_CSELECT_IN);
  set(of.writes, writes, Readiness::kWrite, CURL_CSELECT_OUT);
  if (!reads && !writes) watched_.erase(descriptor);
}

void Transfers::act(int descriptor, int ready) {
  int running = 0;
  curl_multi_socket_action(multi_, descriptor, ready, &running);
  take_ended();
  deliver();
}

void Transfers::take_ended() {
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const easy = message->easy_handle;
    const CURLcode code = message->data.result;
    Transfer* of = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &of);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    of->ended = HttpEnded{static_cast<int>(status), false, {}};
    if (code == CURLE_OK) continue;
    of->ended->late = code == CURLE_OPERATION_TIMEDOUT;
    of->ended->trouble = of->too_much           ? "it says more than it was asked for"
                         : of->words[0] != '\0' ? of->words.data()
                                                : curl_easy_strerror(code);
  }
}

// Outside of libcurl, one after another: each may end any of them.
void Transfers::deliver() {
  std::vector<Id> some;
  for (const auto& [id, of] : transfers_)
    if (!of->came.empty() || of->ended) some.push_back(id);
  for (const Id id : some) {
    if (const auto of = transfers_.find(id); of != transfers_.end() && !of->second->came.empty()) {
      const std::string bytes = std::exchange(of->second->came, {});
      const auto came = of->second->events.came;
      came(bytes);
    }
    const auto of = transfers_.find(id);
    if (of == transfers_.end() || !of->second->ended) continue;
    const HttpEnded how = *of->second->ended;
    const auto ended = std::move(of->second->events.ended);
    cancel(id);
    ended(how);
  }
}

}  // namespace leasescope::etcd
