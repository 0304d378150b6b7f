// What is done beside the window: what takes long to look for, and what takes long to go, like the events of an hour or
// a thread that is still writing.
#pragma once
#include <QThreadPool>
#include <memory>
#include <utility>

namespace leasescope {

// The threads of it. Never the global pool: Qt 6.4 divides large translucent fills among that one's threads, and the
// window would wait in a paint event until what they do is done.
QThreadPool& asideThreads();

template <class What>
void letGoAside(What what) {
  constexpr int kBeforeOthers = 1;  // it gives memory back
  auto held = std::make_shared<What>(std::move(what));
  asideThreads().start([held = std::move(held)]() mutable { held.reset(); }, kBeforeOthers);
}

}  // namespace leasescope
