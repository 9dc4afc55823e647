import {it} from "vitest"; import {checkQuery, literalsOf} from "/work/main/test/queries/kusto.ts";
import { literalOf } from "/work/main/src/sources/azure/literal.ts";
import { readdirSync, readFileSync } from "node:fs";
import { bindQuery, countByHour, declaredValues } from "/work/main/src/sources/azure/query-file.ts";
it("x",()=>{
 console.log(checkQuery("T | project x=a, tolong(a), z=d.b | where q > 1",{T:"a:string,d:dynamic"}));
 for (const s of ["a\"b\\c\n\u0000\u2028\ud800x😀// [", "'", "`h@"]) {
  console.log(JSON.stringify(literalsOf(`print x = ${literalOf({type:"string",value:s})}`)));
 }
 console.log(JSON.stringify(literalsOf(`print x = ${literalOf({type:"dynamic",values:["a\"]b\\","\u0000\ud800\u00852",""]})}`)));
 console.log(literalsOf(`print x = ${literalOf({type:"datetime",ticks:1})}, y=true, z=@'a'`).map(x=>[x.kind,String(x.value),x.value,x.text]));
});
