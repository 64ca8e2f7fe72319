"""All formats, in the order of the index."""

import forgelight
import m3
import maps
import pictures
import warcraft3

RECIPES = [*warcraft3.RECIPES, *pictures.RECIPES, *maps.RECIPES, *m3.RECIPES, *forgelight.RECIPES]
