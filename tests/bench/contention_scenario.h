// The configuration of the bench `contention/<contenders>`, as a scenario of the form that `run` reads.
#pragma once
#include <string>

#include <fmt/format.h>

namespace leasescope::bench {

// ttl 2 s, transition 1 s, 1 % loss, ± 100 ppm, a pause a contender every 60 s (each at its own moment of the minute).
inline std::string contention_toml(int contenders, int seconds) {
  std::string out = fmt::format(R"(schema = 1
title = "Contention"
seed = 1
duration = "{}s"
[mutex]
name = "orders"
count = {}
ttl = "2s"
transition = "1s"
[store]
loss = 0.01
latency = {{ median = "500us", p99 = "3ms" }}
[[resource]]
write_every = "2s"
)",
                                seconds, contenders < 10 ? 1 : contenders / 10);
  for (int i = 0; i < contenders; ++i) {
    const int ppm = (i * 37) % 201 - 100;
    out += fmt::format("[[contender]]\nname = \"n{}\"\nclock = {{ drift_ppm = {}, steady_ppm = {} }}\n", i, ppm, ppm);
  }
  for (int minute = 0; minute * 60 < seconds; ++minute)
    for (int i = 0; i < contenders; ++i) {
      const long long at = minute * 60'000LL + (static_cast<long long>(i) * 59'393 + 7'919) % 60'000;
      if (at < seconds * 1000LL)
        out += fmt::format("[[fault]]\nkind = \"pause\"\nat = \"{}ms\"\ntarget = \"n{}\"\nduration = \"4s\"\n", at, i);
    }
  return out;
}

}  // namespace leasescope::bench
