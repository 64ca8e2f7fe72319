// Ctrl-C: what is being written is finished, nothing new is begun, and the run ends with 130. A second Ctrl-C
// ends it at once.
#pragma once

namespace thaw::cli {

void catch_interrupts();
bool interrupted();

}  // namespace thaw::cli
