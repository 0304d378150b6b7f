// Where passwords are kept that their reader wants to be known at the next start: the seam to the system's keyring.
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include <tl/expected.hpp>

namespace leasescope {

// None of it waits: each answer comes by the event loop, later, and not at all once `whose` is gone. Addresses are
// those of stores, without passwords. An error is one line: why the store cannot be used.
class PasswordStore {
 public:
  using Found = tl::expected<std::optional<QString>, QString>;  // none: nothing is kept for it
  using Done = tl::expected<void, QString>;

  virtual ~PasswordStore() = default;
  virtual void find(const QString& address, QObject* whose, std::function<void(const Found&)> then) = 0;
  virtual void keep(const QString& address, const QString& password, QObject* whose,
                    std::function<void(const Done&)> then) = 0;
  virtual void forget(const QString& address, QObject* whose, std::function<void(const Done&)> then) = 0;
};

}  // namespace leasescope
