// What a PostgreSQL has no business to say.
#pragma once

typedef struct pg_result PGresult;

namespace leasescope::postgres {

inline constexpr const char* kTooMuch = "the server said far more than was asked: is it a PostgreSQL?";
inline constexpr const char* kWantsCopy = "the server wants to copy, which nobody asked for: is it a PostgreSQL?";

// libpq gives such a result again and again.
bool wants_copy(const PGresult* result);

}  // namespace leasescope::postgres
