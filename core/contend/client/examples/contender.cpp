// Says when it owns a mutex and when no more, until standard input ends: contender STORE MUTEX.
#include <leasescope.h>

#include <iostream>

int main(int argc, char** argv) {
  using namespace leasescope::client;
  if (argc != 3) {
    std::cerr << "contender STORE MUTEX\n";
    return 2;
  }
  const auto client = Client::open(argv[1]);
  if (!client) {
    std::cerr << client.error() << '\n';
    return 2;
  }
  Callbacks callbacks;
  callbacks.on_acquired = [](const Term& term) { std::cout << "acquired fence=" << term.fence << std::endl; };
  callbacks.on_released = [](const Term& term, End end) {
    std::cout << (end == End::kStopped ? "released" : "lost") << " fence=" << term.fence << std::endl;
  };
  callbacks.on_trouble = [](const std::string& words) { std::cerr << words << '\n'; };
  auto contender = client->contender(argv[2], callbacks);
  if (!contender) {
    std::cerr << contender.error() << '\n';
    return 2;
  }
  contender->start();
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
  contender->stop();
}
