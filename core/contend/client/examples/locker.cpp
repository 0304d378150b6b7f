// Moves money under a mutex: locker STORE MUTEX. What it writes bears the fencing token of its term.
#include <leasescope.h>

#include <iostream>

int main(int argc, char** argv) {
  using namespace leasescope::client;
  if (argc != 3) {
    std::cerr << "locker STORE MUTEX\n";
    return 2;
  }
  const auto client = Client::open(argv[1]);
  if (!client) {
    std::cerr << client.error() << '\n';
    return 2;
  }
  auto locker = client->locker(argv[2]);
  if (!locker) {
    std::cerr << locker.error() << '\n';
    return 2;
  }
  locker->on_lost([](const Term& term) { std::cerr << "lost " << term.mutex << ": what comes now may be refused\n"; });
  auto lock = locker->acquire(std::chrono::seconds(5));
  if (!lock) {
    std::cerr << lock.error().message << '\n';
    return 1;
  }
  std::cout << "write balance=42 fence=" << lock->term().fence << std::endl;
  return lock->release() ? 0 : 1;
}
