#include "characters/blueprint.h"
namespace sinew::sculpt { Blueprint robot_blueprint() { return {}; } }
