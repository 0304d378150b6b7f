// What takes long to go, like the events of an hour or a thread that is still writing, goes beside the window.
#pragma once
#include <QThreadPool>
#include <memory>
#include <utility>

namespace leasescope {

template <class What>
void letGoAside(What what) {
  auto held = std::make_shared<What>(std::move(what));
  QThreadPool::globalInstance()->start([held = std::move(held)]() mutable { held.reset(); });
}

}  // namespace leasescope
