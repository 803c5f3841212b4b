// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/limb_bones.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>

#include "model/forest.h"
#include "rig/name_tokens.h"

namespace sinew {
namespace {

using Tokens = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kLeft{"l", "left"};
constexpr std::array<std::string_view, 2> kRight{"r", "right"};
constexpr std::array<std::string_view, 5> kToes{"toe", "toes", "toebase", "ball", "toe1"};
constexpr std::array<std::string_view, 3> kHips{"hips", "hip", "pelvis"};
constexpr std::array<std::string_view, 3> kClavicle{"clavicle", "collar", "collarbone"};
constexpr std::array<std::string_view, 4> kHand{"hand", "wrist", "palm", "fist"};
constexpr std::array<std::string_view, 2> kFoot{"foot", "ankle"};
constexpr std::array<std::string_view, 6> kFingers{"index", "middle", "ring",
                                                   "pinky", "little", "finger"};
/// Legs of those who walk on four, or on more.
constexpr std::array<std::string_view, 8> kFourLegs{"front", "back",   "hind", "rear",
                                                    "mid",   "bottom", "top",  "fore"};
/// What ends a bone, or steers it, and is not the bone.
constexpr std::array<std::string_view, 14> kNoBone{"end",    "tip",  "leaf", "nub",    "top",
                                                   "ik",     "ctrl", "pole", "target", "control",
                                                   "handle", "slot", "aim",  "look"};

/// A bone's name as limbs are looked for in it.
struct Name {
  Tokens tokens;

  [[nodiscard]] bool has(std::string_view word) const {
    return std::find(tokens.begin(), tokens.end(), word) != tokens.end();
  }
  template <std::size_t N>
  [[nodiscard]] bool has_any(const std::array<std::string_view, N>& words) const {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return has(word); });
  }
  [[nodiscard]] bool is_forearm() const {
    return has("forearm") || has("lowerarm") || has("elbow") ||
           (has("arm") && (has("fore") || has("lower") || has("low")));
  }
  [[nodiscard]] bool is_upper_arm() const {
    return has("upperarm") || has("uparm") || (has("arm") && (has("upper") || has("up")));
  }
  [[nodiscard]] bool is_shin() const {
    return !has_any(kFourLegs) && (has("shin") || has("calf") || has("knee") || has("lowerleg") ||
                                   has("crus") || (has("leg") && (has("lower") || has("low"))));
  }
  [[nodiscard]] bool is_thigh() const {
    return !has_any(kFourLegs) && (has("thigh") || has("upperleg") || has("upleg") ||
                                   (has("leg") && (has("upper") || has("up"))));
  }
  [[nodiscard]] bool is_thumb() const {
    // MakeHuman counts fingers from the thumb.
    return has("thumb") || (has("finger") && !tokens.empty() && numbered_first());
  }
  [[nodiscard]] bool is_finger() const { return has_any(kFingers) && !is_thumb(); }

 private:
  /// "finger1-2": the first of the fingers, its second bone.
  [[nodiscard]] bool numbered_first() const {
    const auto finger = std::find(tokens.begin(), tokens.end(), "finger");
    return tokens.end() - finger > 2 && *(finger + 1) == "1" && is_numeral(*(finger + 2));
  }
};

struct Pair {
  int upper = -1;
  int lower = -1;
};

class LimbFinder {
 public:
  LimbFinder(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
             const std::vector<int>& parent)
      : roles_(roles), parent_(parent) {
    for (const Bone& bone : skeleton.bones()) names_.push_back({name_tokens(bone.name)});
  }

  [[nodiscard]] LimbBones find() const {
    LimbBones found;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      found.arms[side] = arm(side);
      found.legs[side] = leg(side);
    }
    found.head = head();
    found.hips = hips(found);
    found.neck = neck(found.head);
    found.spine = spine(found);
    return found;
  }

 private:
  [[nodiscard]] const Name& name(int bone) const { return names_[static_cast<std::size_t>(bone)]; }
  [[nodiscard]] int above(int bone) const { return parent_[static_cast<std::size_t>(bone)]; }
  [[nodiscard]] bool deforms(int bone) const {
    return roles_[static_cast<std::size_t>(bone)].deforms;
  }
  [[nodiscard]] int depth(int bone) const {
    int depth = 0;
    for (int b = above(bone); b >= 0; b = above(b)) ++depth;
    return depth;
  }

  /// The topmost of those wanted, the first of equals; -1 for none.
  template <class Wanted>
  [[nodiscard]] int topmost(const Wanted& wanted) const {
    int best = -1;
    int best_depth = 0;
    for (std::size_t j = 0; j < names_.size(); ++j) {
      const int bone = static_cast<int>(j);
      if (!wanted(bone)) continue;
      const int here = depth(bone);
      if (best >= 0 && here >= best_depth) continue;
      best = bone;
      best_depth = here;
    }
    return best;
  }

  /// The first deforming bone of that description and side. The left has bones of no side, too.
  template <class Wanted>
  [[nodiscard]] int first(const Wanted& wanted, std::size_t side) const {
    int without_side = -1;
    for (std::size_t j = 0; j < names_.size(); ++j) {
      const int bone = static_cast<int>(j);
      if (!deforms(bone) || parent_[j] < 0 || names_[j].has_any(kNoBone) || !wanted(names_[j]))
        continue;
      if (names_[j].has_any(side == 0 ? kLeft : kRight)) return bone;
      const bool has_side = names_[j].has_any(kLeft) || names_[j].has_any(kRight);
      if (!has_side && without_side < 0) without_side = bone;
    }
    return side == 0 ? without_side : -1;
  }

  /// The first bone above that deforms, or nothing above a root.
  [[nodiscard]] int deforming_above(int bone) const {
    int found = above(bone);
    while (found >= 0 && !deforms(found)) found = above(found);
    return found;
  }

  [[nodiscard]] int child_like(int bone, std::string_view word) const {
    for (std::size_t j = 0; j < parent_.size(); ++j)
      if (parent_[j] == bone && roles_[j].deforms && names_[j].has(word))
        return static_cast<int>(j);
    return -1;
  }

  /// Topmost of the deforming bones below one whose names are as wanted.
  template <class Wanted>
  [[nodiscard]] int below(int bone, const Wanted& wanted) const {
    if (bone < 0) return -1;
    return topmost([&](int each) {
      return each != bone && deforms(each) && is_below(parent_, each, bone) &&
             !name(each).has_any(kNoBone) && wanted(name(each));
    });
  }

  template <class IsUpper, class IsLower>
  [[nodiscard]] Pair pair(const IsUpper& is_upper, const IsLower& is_lower, std::string_view word,
                          std::size_t side) const {
    Pair found{first(is_upper, side), first(is_lower, side)};
    // "LeftArm" over "LeftForeArm"; "LeftLeg" under "LeftUpLeg".
    if (found.upper < 0 && found.lower >= 0) {
      int over = deforming_above(found.lower);
      while (over >= 0 && !name(over).has(word)) over = deforming_above(over);
      found.upper = over >= 0 ? over : deforming_above(found.lower);
    }
    if (found.lower < 0 && found.upper >= 0) found.lower = child_like(found.upper, word);
    if (found.upper >= 0 || found.lower >= 0) return found;
    // A chain of arms: the topmost is the upper arm.
    found.upper = first([&](const Name& n) { return n.has(word) && !n.has_any(kFourLegs); }, side);
    if (found.upper < 0) return found;
    for (int over = deforming_above(found.upper); over >= 0 && name(over).has(word);
         over = deforming_above(over))
      found.upper = over;
    found.lower = child_like(found.upper, word);
    return found;
  }

  [[nodiscard]] ArmBones arm(std::size_t side) const {
    ArmBones arm;
    const Pair bones = pair([](const Name& n) { return n.is_upper_arm(); },
                            [](const Name& n) { return n.is_forearm(); }, "arm", side);
    arm.upper = bones.upper;
    arm.lower = bones.lower;
    // The last of several is what the arm hangs on: a collar bone that ends in a shoulder.
    for (int over = arm.upper < 0 ? -1 : deforming_above(arm.upper); over >= 0;
         over = deforming_above(over))
      if (name(over).has_any(kClavicle) ||
          (name(over).has("shoulder") && !name(over).has_any(kFourLegs)))
        arm.clavicle = over;
      else
        break;
    arm.hand = below(arm.lower, [](const Name& n) { return n.has_any(kHand); });
    if (arm.hand < 0) arm.hand = below(arm.lower, [](const Name& n) { return n.has("arm"); });
    const int palm = arm.hand >= 0 ? arm.hand : arm.lower;
    for (std::size_t j = 0; palm >= 0 && j < parent_.size(); ++j) {
      const int bone = static_cast<int>(j);
      if (!is_of_hand(bone, palm)) continue;
      const bool is_root =
          !is_of_hand(above(bone), palm) || name(above(bone)).is_thumb() != name(bone).is_thumb();
      if (!is_root) continue;
      std::vector<int> finger = chain_from(bone);
      if (!name(bone).is_thumb())
        arm.fingers.push_back(std::move(finger));
      else if (arm.thumb.empty())
        arm.thumb = std::move(finger);
    }
    return arm;
  }

  [[nodiscard]] bool is_of_hand(int bone, int palm) const {
    return bone != palm && deforms(bone) && (name(bone).is_finger() || name(bone).is_thumb()) &&
           !name(bone).has_any(kNoBone) && is_below(parent_, bone, palm);
  }

  /// A finger: each bone's first deforming child.
  [[nodiscard]] std::vector<int> chain_from(int bone) const {
    std::vector<int> chain;
    while (bone >= 0) {
      chain.push_back(bone);
      int next = -1;
      for (std::size_t j = 0; j < parent_.size() && next < 0; ++j)
        if (parent_[j] == bone && roles_[j].deforms && !names_[j].has_any(kNoBone))
          next = static_cast<int>(j);
      bone = next;
    }
    return chain;
  }

  [[nodiscard]] LegBones leg(std::size_t side) const {
    LegBones leg;
    const Pair bones = pair([](const Name& n) { return n.is_thigh(); },
                            [](const Name& n) { return n.is_shin(); }, "leg", side);
    leg.thigh = bones.upper;
    leg.shin = bones.lower;
    leg.foot = below(leg.shin, [](const Name& n) { return n.has_any(kFoot); });
    if (leg.foot < 0) leg.foot = below(leg.shin, [](const Name& n) { return n.has("leg"); });
    leg.toes = below(leg.foot, [](const Name& n) { return n.has_any(kToes); });
    if (leg.toes < 0) leg.toes = below(leg.foot, [](const Name& n) { return n.has("leg"); });
    return leg;
  }

  [[nodiscard]] int head() const {
    return topmost([&](int bone) {
      const Name& n = name(bone);
      return n.has("head") && !n.has_any(kNoBone) && !n.has_any(kLeft) && !n.has_any(kRight);
    });
  }

  [[nodiscard]] int hips(const LimbBones& found) const {
    const int named = topmost([&](int bone) {
      const Name& n = name(bone);
      return n.has_any(kHips) && !n.has_any(kNoBone) && !n.has_any(kLeft) && !n.has_any(kRight);
    });
    if (named >= 0) return named;
    // What both legs hang on.
    int common = found.legs[0].thigh < 0 ? -1 : above(found.legs[0].thigh);
    while (common >= 0 && found.legs[1].thigh >= 0 &&
           !is_below(parent_, found.legs[1].thigh, common))
      common = above(common);
    return common;
  }

  /// Bones of that name under the head, or where there is no head, the last of them.
  [[nodiscard]] std::vector<int> neck(int head) const {
    std::vector<int> chain;
    int bone = head;
    if (bone < 0) {
      bone = topmost([&](int each) { return name(each).has("neck") && deforms(each); });
      while (bone >= 0) {
        chain.push_back(bone);
        bone = child_like(bone, "neck");
      }
      return chain;
    }
    for (bone = above(bone); bone >= 0 && name(bone).has("neck"); bone = above(bone))
      if (deforms(bone)) chain.insert(chain.begin(), bone);
    return chain;
  }

  /// From the hips to where the neck, the head or an arm hangs.
  [[nodiscard]] std::vector<int> spine(const LimbBones& found) const {
    int top = -1;
    if (!found.neck.empty())
      top = above(found.neck.front());
    else if (found.head >= 0)
      top = above(found.head);
    else if (found.arms[0].upper >= 0)
      top = above(found.arms[0].clavicle >= 0 ? found.arms[0].clavicle : found.arms[0].upper);
    std::vector<int> chain;
    if (found.hips < 0 || top < 0 || !is_below(parent_, top, found.hips)) return chain;
    for (; top != found.hips; top = above(top))
      if (deforms(top)) chain.insert(chain.begin(), top);
    return chain;
  }

  const std::vector<BoneRole>& roles_;
  const std::vector<int>& parent_;
  std::vector<Name> names_;
};

}  // namespace

LimbBones find_limb_bones(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                          const EffectiveHierarchy& hierarchy) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  return LimbFinder(skeleton, roles, hierarchy.parent).find();
}

}  // namespace sinew
