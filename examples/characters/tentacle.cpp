#include "characters/blueprint.h"
namespace sinew::sculpt { Blueprint tentacle_blueprint() { return {}; } }
