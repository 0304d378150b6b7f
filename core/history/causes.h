// Words that the sentences of several kinds of incident share: what a token is called, and why a lease is no more.
#pragma once
#include <string>

#include "core/history/standing.h"

namespace leasescope {

// A token as a sentence bears it; a contender of before the tokens has none, and no number stands for that.
std::string granted_words(Token token);  // "#3", "it without a token"
std::string with_words(Token token);     // "with #3", "without a token"
std::string after_word(Token token);     // " #3", ""

std::string clock_words(const Standing::ClockChange& change);
// Why the last lease of `whose` is no more, before it was over as promised.
std::string lost_words(const Standing& standing, const Standing::Mutex& of, std::uint32_t whose);
// The same of a term: another of its own may have followed.
std::string lost_term_words(const Standing& standing, const Standing::Mutex& of, std::uint32_t whose);

}  // namespace leasescope
