#include "characters/blueprint.h"
namespace sinew::sculpt { Blueprint quadruped_blueprint() { return {}; } }
