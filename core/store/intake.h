// How much a server may say to one question: a client library itself keeps whatever is announced.
#pragma once
#include <cstddef>

namespace leasescope {

class Intake {
 public:
  // Of a question, or of anything else that is answered.
  void begin() { taken_ = 0; }
  // To be asked before the library reads from that descriptor; false when it is too much since then.
  bool bounded(int descriptor);
  // A small window, from the connection's beginning on: where a message announces a gigabyte a library reads for as
  // long as more is there, within one call, and a flood is to come drop by drop.
  static void narrow(int descriptor);

 private:
  std::size_t taken_ = 0;
};

}  // namespace leasescope
