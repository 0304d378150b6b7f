#include "ui/window/told_to_end.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <utility>

#include "core/base/expect.h"

namespace leasescope {
namespace {

constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP};
int woken = -1;  // a signal's handler may do little else than write

void note(int) { ::eventfd_write(woken, 1); }

}  // namespace

ToldToEnd::ToldToEnd(QObject* parent) : QObject(parent) {
  expect(woken < 0, "one at a time is told to end");
  woken = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (woken < 0) return;  // then a signal ends it as it ends any program
  heard_ = new QSocketNotifier(woken, QSocketNotifier::Read, this);
  connect(heard_, &QSocketNotifier::activated, this, [this] {
    eventfd_t times = 0;
    ::eventfd_read(woken, &times);
    emit told();
  });
  for (const int number : kEnding) {
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction once {};
    once.sa_handler = note;
    once.sa_flags = SA_RESETHAND | SA_RESTART;
    ::sigaction(number, &once, nullptr);
  }
}

ToldToEnd::~ToldToEnd() {
  for (const int number : kEnding) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == note) std::signal(number, SIG_DFL);
  }
  delete std::exchange(heard_, nullptr);
  if (woken >= 0) ::close(std::exchange(woken, -1));
}

}  // namespace leasescope
