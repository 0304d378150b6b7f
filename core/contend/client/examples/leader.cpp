// Sweeps while it leads, ten times a second, until standard input ends: leader STORE MUTEX.
#include <leasescope.h>

#include <iostream>

int main(int argc, char** argv) {
  using namespace leasescope::client;
  if (argc != 3) {
    std::cerr << "leader STORE MUTEX\n";
    return 2;
  }
  const auto client = Client::open(argv[1]);
  if (!client) {
    std::cerr << client.error() << '\n';
    return 2;
  }
  auto leader = client->leader_scheduler(argv[2], Schedule::fixed_rate(std::chrono::milliseconds(100)),
                                         [](const Term& term, const std::stop_token& stop) {
                                           if (stop.stop_requested()) return;
                                           std::cout << "sweep fence=" << term.fence << std::endl;
                                         });
  if (!leader) {
    std::cerr << leader.error() << '\n';
    return 2;
  }
  leader->on_trouble([](const std::string& words) { std::cerr << words << '\n'; });
  leader->start();
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
  leader->stop();
}
