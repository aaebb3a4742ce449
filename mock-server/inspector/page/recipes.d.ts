/** The cookbook, as the build has read it. */
declare const RECIPES: readonly import('../read-recipes.ts').Recipe[];
