import { createRequire } from "node:module";

/** The few members of the Kusto language service that the tests use; its own types know only its C# shapes. */
interface List<T> {
  readonly Count: number;
  getItem(index: number): T;
}

interface Column {
  readonly Name: string;
  readonly Type: { readonly Name: string };
}

interface SyntaxNode {
  readonly LiteralValue: unknown;
  readonly Kind: number;
  readonly TextStart: number;
  readonly End: number;
  toString(): string;
}

interface Code {
  readonly Text: string;
  readonly ResultType: { readonly Columns?: List<Column> } | null;
  readonly Syntax: { WalkNodes(visit: (node: SyntaxNode) => void): void };
  GetDiagnostics(): List<{ readonly Message: string; readonly Severity: string }>;
}

interface TableSymbol {
  WithName(name: string): TableSymbol;
}

interface Globals {
  WithDatabase(database: unknown): Globals;
}

interface KustoLanguage {
  readonly Language: {
    readonly GlobalState: { readonly Default: Globals };
    readonly KustoCode: { ParseAndAnalyze(text: string, globals: Globals): Code };
    readonly Symbols: {
      readonly TableSymbol: { From(schema: string): TableSymbol };
      readonly DatabaseSymbol: {
        readonly ctor: new (name: string, members: readonly TableSymbol[]) => unknown;
      };
    };
    readonly Syntax: { readonly SyntaxKind: Readonly<Record<string, number>> };
  };
}

const require = createRequire(import.meta.url);
require("@kusto/language-service-next/bridge.min.js");
require("@kusto/language-service-next/Kusto.Language.Bridge.min.js");
const { Language } = (globalThis as unknown as { readonly Kusto: KustoLanguage }).Kusto;

/** Schemas by the name of the table, as `a: string, b: int`. */
export type Tables = Readonly<Record<string, string>>;

export interface Checked {
  /** With their severity in front. */
  readonly diagnostics: readonly string[];
  /** Of the answer, as `name: type`. */
  readonly columns: readonly string[];
}

export interface Literal {
  readonly kind: string;
  readonly value: unknown;
  /** As the query writes it. */
  readonly text: string;
}

function itemsOf<T>(list: List<T>): T[] {
  return Array.from({ length: list.Count }, (_, i) => list.getItem(i));
}

function analyse(query: string, tables: Tables): Code {
  const symbols = Object.entries(tables).map(([name, schema]) =>
    Language.Symbols.TableSymbol.From(`(${schema})`).WithName(name),
  );
  const database = new Language.Symbols.DatabaseSymbol.ctor("workspace", symbols);
  return Language.KustoCode.ParseAndAnalyze(query, Language.GlobalState.Default.WithDatabase(database));
}

/** What Kusto's own parser and type checker say of a query on these tables. */
export function checkQuery(query: string, tables: Tables): Checked {
  const code = analyse(query, tables);
  return {
    diagnostics: itemsOf(code.GetDiagnostics()).map(({ Severity, Message }) => `${Severity}: ${Message}`),
    columns: itemsOf(code.ResultType?.Columns ?? { Count: 0, getItem: () => null as never }).map(
      ({ Name, Type }) => `${Name}: ${Type.Name}`,
    ),
  };
}

/** The literals of a query in the order in which they stand, with the values that Kusto's parser gives them. */
export function literalsOf(query: string): Literal[] {
  const names = new Map(Object.entries(Language.Syntax.SyntaxKind).map(([name, kind]) => [kind, name]));
  const literals: Literal[] = [];
  analyse(query, {}).Syntax.WalkNodes((node) => {
    const kind = names.get(node.Kind) ?? "";
    if (!kind.endsWith("LiteralExpression")) return;
    literals.push({ kind, value: node.LiteralValue, text: query.slice(node.TextStart, node.End) });
  });
  return literals;
}
