// The meters of a watch as a page that Prometheus reads: http://HOST:PORT/metrics.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/observe/meters.h"

namespace leasescope {

struct MetricsTerms {
  std::string host = "127.0.0.1";
  int port = 0;
  bool owners = false;  // who owns is a label: a series each
};

// Of "9464", "127.0.0.1:9464", "[::1]:9464"; without a host it is the loopback. The error says what was expected.
tl::expected<MetricsTerms, std::string> parse_metrics_address(const std::string& text);

class MetricsPage {
 public:
  // The error says why that address cannot be listened on.
  static tl::expected<std::unique_ptr<MetricsPage>, std::string> open(const MetricsTerms& terms);
  ~MetricsPage();
  MetricsPage(const MetricsPage&) = delete;
  MetricsPage& operator=(const MetricsPage&) = delete;

  // What is read from now on.
  void show(const WatchMeters& meters);

 private:
  struct Shown;
  MetricsPage();

  std::unique_ptr<Shown> shown_;
};

}  // namespace leasescope
