// How much a PostgreSQL server may say: libpq itself keeps whatever is announced.
#pragma once
#include <cstddef>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

namespace leasescope::postgres {

class Intake {
 public:
  static constexpr const char* kTooMuch = "the server said far more than was asked: is it a PostgreSQL?";
  static constexpr const char* kWantsCopy = "the server wants to copy, which nobody asked for: is it a PostgreSQL?";

  // Of a question, or of anything else that is answered.
  void begin() { taken_ = 0; }
  // To be asked before libpq reads; false when it is too much since then.
  bool bounded(const PGconn* connection);
  // A small window, from the connection's beginning on: where a message announces a gigabyte libpq reads for as long as
  // more is there, within one call, and a flood is to come drop by drop.
  static void narrow(const PGconn* connection);
  // libpq gives such a result again and again.
  static bool wants_copy(const PGresult* result);

 private:
  std::size_t taken_ = 0;
};

}  // namespace leasescope::postgres
