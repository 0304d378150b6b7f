// All contenders of one scenario, of the one system it contends by: a value, with one switch over the system an input,
// of which the default comes first.
#pragma once
#include <tuple>
#include <utility>
#include <variant>

#include "core/base/large_vector.h"
#include "core/base/prefetch.h"
#include "core/base/visit_first.h"
#include "core/contend/any_contender.h"
#include "simulator/fault/port.h"

namespace leasescope {

class Fleet {
  template <class Ask>
  auto of(NodeIndex index, Ask ask) const {
    return visit_first([index, ask](const auto& all) { return ask(all[index]); }, contenders_);
  }

 public:
  // All of one system, of so many in all.
  void add(const AnyContender& contender, std::size_t all) {
    std::visit(
        [&]<class Contender>(const Contender& one) {
          if (size() == 0) contenders_.emplace<All<Contender>>().reserve(all);
          std::get<All<Contender>>(contenders_).emplace_back(one);
        },
        contender);
  }
  std::size_t size() const {
    return std::visit([](const auto& all) { return all.size(); }, contenders_);
  }
  std::size_t bytes() const {
    return std::visit([](const auto& all) { return all.size() * sizeof(all[0]); }, contenders_);
  }

  Effects step(NodeIndex index, const Input& input, Clocks now) {
    return visit_first([index, &input, now](auto& all) { return all[index].step(input, now); }, contenders_);
  }
  void reborn(NodeIndex index, Name id) {
    visit_first([&](auto& all) { all[index] = std::decay_t<decltype(all[index])>(all[index].reborn(id)); },
                contenders_);
  }

  Name id(NodeIndex index) const {
    return of(index, [](const auto& contender) { return contender.id(); });
  }
  bool running(NodeIndex index) const {
    return of(index, [](const auto& contender) { return contender.running(); });
  }
  bool believes(NodeIndex index) const {
    return of(index, [](const auto& contender) { return contender.believes(); });
  }
  bool owns(NodeIndex index, SteadyTime now) const {
    return of(index, [now](const auto& contender) { return contender.owns(now); });
  }
  Token token(NodeIndex index) const {
    return of(index, [](const auto& contender) { return contender.token(); });
  }
  Status status(NodeIndex index) const {
    return of(index, [](const auto& contender) { return contender.status(); });
  }
  // Of a contender that is bound to one: the request that opened the connection it has; 0 = none.
  std::uint64_t connection(NodeIndex index) const {
    return of(index, [](const auto& contender) -> std::uint64_t {
      if constexpr (requires { contender.connection(); }) return contender.connection();
      return 0;
    });
  }
  const RandomStream& draws(NodeIndex index) const {
    return visit_first([index](const auto& all) -> const RandomStream& { return all[index].draws(); }, contenders_);
  }

  // Hints for the processor.
  void fetch_for_timer(NodeIndex index) const {
    visit_first([index](const auto& all) { all[index].fetch_for_timer(); }, contenders_);
  }
  void fetch_for_reply(NodeIndex index) const {
    visit_first([index](const auto& all) { all[index].fetch_for_reply(); }, contenders_);
  }

 private:
  // Each begins a line of memory of its own.
  template <class Contender>
  struct alignas(kCacheLine) Aligned : Contender {
    explicit Aligned(const Contender& contender) : Contender(contender) {}
  };
  template <class Contender>
  using All = LargeVector<Aligned<Contender>>;
  template <class List>
  struct AllOf;
  template <class... Contender>
  struct AllOf<std::tuple<Contender...>> {
    using type = std::variant<All<Contender>...>;
  };

  AllOf<Contenders>::type contenders_;
};

}  // namespace leasescope
