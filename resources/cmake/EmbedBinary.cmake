# Writes a .cpp whose function embedded::SYMBOL() gives the bytes of FILE.
file(READ ${FILE} body HEX)
string(REGEX REPLACE "(................................)" "\\1\"\n      \"" body "${body}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" body "${body}")
file(SIZE ${FILE} size)
file(WRITE ${OUTPUT} "#include <string>\n\nnamespace leasescope::embedded {\n\nstd::string ${SYMBOL}() {\n  return {\n      \"${body}\",\n      ${size}};\n}\n\n}  // namespace leasescope::embedded\n")
