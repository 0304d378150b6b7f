// A bank that carries out transfers one after the other, each in steps that whoever holds the mutex asks for: the money
// is held, the other bank credits it, that is confirmed, the transfer is settled. What happens when a step is asked for
// twice, or by two, hangs on the form of the steps.
#pragma once
#include <vector>

#include "core/history/event.h"
#include "simulator/model/transfer_form.h"

namespace leasescope {

class Bank {
 public:
  enum class Step : std::uint8_t { kAsk, kHold, kCredit, kConfirm, kSettle };

  Bank() = default;
  explicit Bank(TransferForm form) : form_(form) {}

  // What a step came to: events for the history, in order, and what its caller is told.
  struct Done {
    struct Told {
      TransferStep what = TransferStep::kHeld;
      std::uint64_t transfer = 0;
    };

    void tell(TransferStep what, std::uint64_t of) { told[tells++] = {what, of}; }

    Told told[2];
    std::uint8_t tells = 0;
    std::uint64_t transfer = 0;  // which it was about
    std::uint8_t next = 0;       // the step that comes next; 0 = none
  };

  // `transfer`: which the caller works on; kAsk tells it.
  Done take(Step step, std::uint64_t transfer) {
    Done done;
    done.transfer = step == Step::kAsk ? first_open_ : transfer;
    Transfer& of = at(done.transfer);
    done.next = static_cast<std::uint8_t>(step) + 1;
    if (form_ == TransferForm::kIdempotent) {
      once(step, of, done);
    } else {
      each_time(step, of, done);
    }
    if (step == Step::kSettle) done.next = 0;
    return done;
  }

  std::size_t bytes() const { return transfers_.size() * sizeof(Transfer); }

 private:
  struct Transfer {
    bool credited = false;
    std::uint8_t recorded = 0;  // kIdempotent: the last step that was done
  };

  Transfer& at(std::uint64_t transfer) {
    if (transfers_.size() <= transfer) transfers_.resize(transfer + 1);
    return transfers_[transfer];
  }

  // Settling moves the counter on by one, whichever transfer it was meant for.
  void each_time(Step step, Transfer& of, Done& done) {
    if (step == Step::kHold) done.tell(TransferStep::kHeld, done.transfer);
    if (step == Step::kCredit) {
      done.tell(of.credited ? TransferStep::kCreditedAgain : TransferStep::kCredited, done.transfer);
      of.credited = true;
    }
    if (step != Step::kSettle) return;
    done.tell(TransferStep::kSettled, done.transfer);
    const std::uint64_t passed = first_open_++;
    if (!at(passed).credited) done.tell(TransferStep::kLost, passed);
  }

  void once(Step step, Transfer& of, Done& done) {
    const auto number = static_cast<std::uint8_t>(step);
    if (step != Step::kAsk && number == of.recorded + 1) {
      of.recorded = number;
      if (step == Step::kHold) done.tell(TransferStep::kHeld, done.transfer);
      if (step == Step::kCredit) done.tell(TransferStep::kCredited, done.transfer);
      if (step == Step::kSettle) {
        done.tell(TransferStep::kSettled, done.transfer);
        ++first_open_;
      }
    }
    done.next = of.recorded == static_cast<std::uint8_t>(Step::kSettle) ? 0 : of.recorded + 1;
  }

  TransferForm form_ = TransferForm::kNone;
  std::uint64_t first_open_ = 1;  // the transfer that is to be done
  std::vector<Transfer> transfers_;
};

}  // namespace leasescope
