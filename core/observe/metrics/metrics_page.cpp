#include "core/observe/metrics/metrics_page.h"

#include <charconv>
#include <cmath>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>

#include "core/base/escaped.h"

namespace leasescope {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kLongestLabel = 200;

// As Prometheus wants it.
double seconds(Duration d) { return static_cast<double>(d.count()) / 1e9; }

// One name with all that is told under it.
class Family {
 public:
  Family(const char* name, MetricType type, const char* help) {
    family_.name = name;
    family_.type = type;
    family_.help = help;
  }
  void add(const Labels& labels, double value) {
    ClientMetric& metric = labelled(labels);
    if (family_.type == MetricType::Counter)
      metric.counter.value = value;
    else
      metric.gauge.value = value;
  }
  ClientMetric& labelled(const Labels& labels) {
    ClientMetric& metric = family_.metric.emplace_back();
    for (const auto& [name, value] : labels) {
      ClientMetric::Label label;
      label.name = name;
      label.value = escaped(value, kLongestLabel);
      metric.label.push_back(std::move(label));
    }
    return metric;
  }
  MetricFamily take() && { return std::move(family_); }

 private:
  MetricFamily family_;
};

Labels labels_of(const MutexMeter& mutex) {
  return {{"mutex", mutex.mutex}, {"store", mutex.store}, {"system", mutex.system}};
}

bool is_held(WatchState state) { return state == WatchState::kHeld || state == WatchState::kInTransition; }

void add_mutexes(const WatchMeters& meters, bool owners, std::vector<MetricFamily>& out) {
  Family owned("leasescope_mutex_owned", MetricType::Gauge,
               "Whether somebody holds the mutex; none while nobody knows.");
  Family handoffs("leasescope_mutex_handoffs_total", MetricType::Counter,
                  "Grants of the mutex to somebody else than the one before, as they were seen.");
  Family leaderless("leasescope_mutex_leaderless_seconds_total", MetricType::Counter,
                    "Time in which nobody held the mutex and somebody waited.");
  Family unobserved("leasescope_mutex_unobserved_seconds_total", MetricType::Counter,
                    "Time in which nothing was known of the mutex.");
  Family left("leasescope_mutex_lease_remaining_seconds", MetricType::Gauge,
              "What is left of the owner's lease at least; below zero it is over unless it was renewed unseen.");
  Family waiters("leasescope_mutex_waiters", MetricType::Gauge, "Those who wait, where the store tells.");
  Family token("leasescope_mutex_fencing_token", MetricType::Gauge, "The owner's fencing token, where there is one.");
  Family owner("leasescope_mutex_owner_info", MetricType::Gauge, "Who holds the mutex, as a label.");
  for (const MutexMeter& each : meters.mutexes) {
    const Labels labels = labels_of(each);
    handoffs.add(labels, static_cast<double>(each.handoffs));
    leaderless.add(labels, seconds(each.leaderless));
    unobserved.add(labels, seconds(each.unobserved));
    if (each.state == WatchState::kNotObserved) continue;
    owned.add(labels, is_held(each.state) ? 1 : 0);
    if (each.left) left.add(labels, seconds(*each.left));
    if (each.waiters) waiters.add(labels, *each.waiters);
    if (each.token != kNoToken) token.add(labels, static_cast<double>(each.token));
    if (!owners || each.owner.empty()) continue;
    Labels with_owner = labels;
    with_owner.emplace_back("owner", each.owner);
    owner.add(with_owner, 1);
  }
  for (Family* each : {&owned, &handoffs, &leaderless, &unobserved, &left, &waiters, &token})
    out.push_back(std::move(*each).take());
  if (owners) out.push_back(std::move(owner).take());
}

void add_stores(const WatchMeters& meters, std::vector<MetricFamily>& out) {
  Family up("leasescope_store_up", MetricType::Gauge, "Whether the store answers its observer.");
  Family gaps("leasescope_observer_gaps_total", MetricType::Counter, "Times at which the store ceased to answer.");
  Family commands("leasescope_observer_commands_total", MetricType::Counter, "Commands that were sent to the store.");
  Family latency("leasescope_store_latency_seconds", MetricType::Histogram,
                 "How long the store took to answer, sampled ten times a second at most.");
  for (const StoreMeter& each : meters.stores) {
    const Labels labels{{"store", each.store}};
    up.add(labels, each.answers ? 1 : 0);
    gaps.add(labels, static_cast<double>(each.gaps));
    commands.add(labels, static_cast<double>(each.commands));
    ClientMetric& metric = latency.labelled(labels);
    metric.histogram.sample_count = each.answers_timed;
    metric.histogram.sample_sum = seconds(each.answering);
    for (std::size_t i = 0; i < kLatencyBounds.size(); ++i) {
      ClientMetric::Bucket bucket;
      bucket.cumulative_count = each.answered_within[i];
      bucket.upper_bound = seconds(kLatencyBounds[i]);
      metric.histogram.bucket.push_back(bucket);
    }
    ClientMetric::Bucket all;
    all.cumulative_count = each.answers_timed;
    all.upper_bound = INFINITY;
    metric.histogram.bucket.push_back(all);
  }
  for (Family* each : {&up, &gaps, &commands, &latency}) out.push_back(std::move(*each).take());
}

void add_all(const WatchMeters& meters, std::vector<MetricFamily>& out) {
  Family mutexes("leasescope_mutexes", MetricType::Gauge, "Mutexes that were met, by their state.");
  for (std::size_t i = 0; i < meters.by_state.size(); ++i)
    mutexes.add({{"state", std::string(text(static_cast<WatchState>(i)))}}, static_cast<double>(meters.by_state[i]));
  Family left_out("leasescope_metrics_mutexes_left_out", MetricType::Gauge,
                  "Mutexes that have no series of their own, as they are too many.");
  left_out.add({}, static_cast<double>(meters.left_out));
  out.push_back(std::move(mutexes).take());
  out.push_back(std::move(left_out).take());
}

// Read from the threads of the page.
class Meter final : public prometheus::Collectable {
 public:
  explicit Meter(bool owners) : owners_(owners) {}

  void show(const WatchMeters& meters) {
    const std::lock_guard lock(mutex_);
    meters_ = meters;
  }
  std::vector<MetricFamily> Collect() const override {
    std::vector<MetricFamily> out;
    const std::lock_guard lock(mutex_);
    add_mutexes(meters_, owners_, out);
    add_stores(meters_, out);
    add_all(meters_, out);
    return out;
  }

 private:
  const bool owners_;
  mutable std::mutex mutex_;
  WatchMeters meters_;
};

std::string expected() { return "expected HOST:PORT or PORT, such as 127.0.0.1:9464"; }

}  // namespace

tl::expected<MetricsTerms, std::string> parse_metrics_address(const std::string& text) {
  MetricsTerms out;
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  if (colon != std::string::npos) out.host = text.substr(0, colon);
  const auto read = std::from_chars(port.data(), port.data() + port.size(), out.port);
  const bool number = read.ec == std::errc() && read.ptr == port.data() + port.size();
  if (!number || out.port < 1 || out.port > 65'535 || out.host.empty()) return tl::unexpected(text + ": " + expected());
  const bool brackets = out.host.front() == '[' && out.host.back() == ']';
  if (out.host.find_first_of(brackets ? " ,/+" : " ,/+:") != std::string::npos)
    return tl::unexpected(text + ": " + expected());
  return out;
}

struct MetricsPage::Shown {
  explicit Shown(const MetricsTerms& terms)
      : meter(std::make_shared<Meter>(terms.owners)), exposer(fmt::format("{}:{}", terms.host, terms.port), 2) {
    exposer.RegisterCollectable(meter);
  }
  std::shared_ptr<Meter> meter;
  prometheus::Exposer exposer;
};

MetricsPage::MetricsPage() = default;
MetricsPage::~MetricsPage() = default;

tl::expected<std::unique_ptr<MetricsPage>, std::string> MetricsPage::open(const MetricsTerms& terms) {
  std::unique_ptr<MetricsPage> out(new MetricsPage);
  try {
    out->shown_ = std::make_unique<Shown>(terms);
  } catch (const std::exception&) {  // its words are "null context"
    return tl::unexpected(fmt::format("{}:{} cannot be listened on: is it another program's, or not of this machine?",
                                      terms.host, terms.port));
  }
  return out;
}

void MetricsPage::show(const WatchMeters& meters) { shown_->meter->show(meters); }

}  // namespace leasescope
