# A room of the house: a static library of every .cpp directly in the folders named, of which one may be a pattern. A
# new file needs no line here.
function(leasescope_room name)
  set(sources)
  foreach(folder ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
    list(APPEND sources ${found})
  endforeach()
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_precompile_headers(${name} PRIVATE <algorithm> <array> <chrono> <cstdint> <memory> <optional> <string>
                            <string_view> <variant> <vector> <fmt/format.h>)
endfunction()

# Compiles the files of a folder into a library: `embedded::<symbol>()` gives them (core/base/embedded.h), sorted by name.
function(leasescope_embed target folder ending symbol)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.${ending})
  set(output ${CMAKE_BINARY_DIR}/generated/${symbol}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/resources/cmake/Embed.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/resources/cmake/Embed.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
