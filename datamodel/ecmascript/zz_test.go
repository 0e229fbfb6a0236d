package ecmascript_test
import ("testing";"strings";"os";"fmt";"time"
"github.com/scxmlrun/scxmlrun/datamodel"
"github.com/scxmlrun/scxmlrun/datamodel/ecmascript")
func TestZZ(t *testing.T){
 n := 100000
 fmt.Sscan(os.Getenv("N"), &n)
 m := map[string]string{
  "not": strings.Repeat("!", n)+"1",
  "neg": strings.Repeat("- ", n)+"1",
  "cond": strings.Repeat("1?1:", n)+"1",
  "add": strings.Repeat("1+", n)+"1",
  "assign": strings.Repeat("a=", n)+"1",
  "pow": strings.Repeat("1**", n)+"1",
  "arrow": strings.Repeat("a=>", n)+"1",
  "new": strings.Repeat("new ", n)+"a",
  "dot": "a"+strings.Repeat(".a", n),
  "comma": strings.Repeat("1,", n)+"1",
  "else": "S"+strings.Repeat("if(1);else ", n)+";",
  "if": "S"+strings.Repeat("if(1)", n)+";",
  "label": "S"+strings.Repeat("a:", 1)+"1",
  "while": "S"+strings.Repeat("while(1)", n)+";",
  "typeof": strings.Repeat("typeof ", n)+"1",
  "stmts": "S"+strings.Repeat("a=1;", n),
  "chain": "a"+strings.Repeat("()", n),
  "and": strings.Repeat("1&&", n)+"1",
  "idx": "a"+strings.Repeat("[0]", n),
 }
 k := m[os.Getenv("K")]
 kind := datamodel.ValueExpr
 if strings.HasPrefix(k,"S"){ kind=datamodel.Script; k=k[1:]}
 s:=time.Now()
 _, err := ecmascript.New().Compile(kind, source(k))
 e:=""
 if err!=nil {e=err.Error()}
 if len(e)>80{e=e[:80]}
 fmt.Println(os.Getenv("K"), len(k), time.Since(s), e)
}
