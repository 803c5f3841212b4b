#include "characters/blueprint.h"
namespace sinew::sculpt { Blueprint hand_blueprint() { return {}; } }
