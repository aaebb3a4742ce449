import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Recipe } from '../../read-recipes.ts';
import { copyText } from '../parts/copy-button.tsx';
import { attempt } from '../parts/notices.tsx';
import type { WorldId } from '../state/wire.ts';
import { armRecipe, foundRecipes } from './recipes.ts';
import type { WorldProps } from './workspace-view.tsx';

/** The cookbook, as the build has read it. */
declare const RECIPES: readonly Recipe[];

interface Props extends WorldProps {
  readonly choose: (world: WorldId) => void;
}

/** The recipes of the documentation, each armed with one click. */
export function CookbookView({ world, choose }: Props): ComponentChildren {
  const [text, setText] = useState('');
  const found = foundRecipes(RECIPES, text);
  const sections = [...Map.groupBy(found, ({ section }) => section)];
  return (
    <div class="page">
      <div class="heading">
        <h2>Cookbook</h2>
        <input
          type="search"
          aria-label="Find a recipe"
          placeholder="Find: my client hangs, charged twice, 502 …"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="quiet">
          {found.length} of {RECIPES.length}
        </span>
      </div>
      {sections.map(([section, recipes]) => (
        <section key={section} aria-label={section}>
          <h3>{section}</h3>
          <ul class="recipes">
            {recipes.map((recipe) => (
              <RecipeCard key={recipe.title} recipe={recipe} world={world} choose={choose} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface CardProps {
  readonly recipe: Recipe;
  readonly world: WorldId;
  readonly choose: (world: WorldId) => void;
}

function RecipeCard({ recipe, world, choose }: CardProps): ComponentChildren {
  const { title, text, steps } = recipe;
  const isArmed = steps.some(({ verb }) => verb === 'fault' || verb === 'scenario');
  const run = (): void =>
    attempt(async () => {
      const { told, sandbox } = await armRecipe(recipe, world);
      if (sandbox !== undefined) choose(sandbox);
      return told;
    });
  return (
    <li class="card">
      <h4>{title}</h4>
      {text !== '' && <p>{text}</p>}
      <dl class="steps">
        {steps.map(({ verb, text: line }, index) => (
          <div key={index}>
            <dt>{verb}</dt>
            <dd>{line}</dd>
          </div>
        ))}
      </dl>
      {isArmed ? (
        <button onClick={run}>Arm</button>
      ) : (
        <button onClick={() => copySteps(recipe)}>Copy its steps</button>
      )}
    </li>
  );
}

function copySteps({ title, steps }: Recipe): void {
  attempt(async () => {
    await copyText(steps.map(({ verb, text }) => `${verb}: ${text}\n`).join(''));
    return `Copied the steps of "${title}": it arms nothing`;
  });
}
