package ecmascript

import (
	"unicode/utf16"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// Tree returns the syntax tree of src, for programs that translate it. Of [datamodel.Content] it is the
// tree of the value. The error is the *[datamodel.EvalError] that Compile returns. Tree is safe for
// concurrent use.
func Tree(kind datamodel.Kind, src datamodel.Source) (*tree.Code, error) {
	code := &tree.Code{Source: src}
	if kind == datamodel.Content {
		code.Expr = contentTree(parseContent(src))
		return code, nil
	}
	e := compile(kind, src, syntax.DefaultLimits)
	if e.err != nil {
		return nil, e.err
	}
	t := translator{e.value.tree}
	if kind == datamodel.Script {
		code.Script = t.list(t.tree.Body())
	} else {
		code.Expr = t.expr(t.tree.X)
	}
	return code, nil
}

// CheckVariable returns why a data item cannot be called name, or nil.
func CheckVariable(name string) error {
	if err := checkVariable(name); err != nil {
		return err
	}
	return nil
}

func contentTree(v datamodel.Value) tree.Expr {
	switch v := v.(type) {
	case datamodel.NullType:
		return &tree.Null{}
	case bool:
		return &tree.Bool{Value: v}
	case int64:
		return &tree.Number{Value: float64(v)}
	case float64:
		return &tree.Number{Value: v}
	case string:
		return &tree.String{Value: v}
	case []datamodel.Value:
		out := &tree.Array{}
		for _, item := range v {
			out.Items = append(out.Items, contentTree(item))
		}
		return out
	case *datamodel.Object:
		out := &tree.Object{}
		for name, value := range v.All() {
			out.Props = append(out.Props, tree.Prop{Key: &tree.String{Value: name}, Value: contentTree(value)})
		}
		return out
	case *datamodel.Node:
		return &tree.Other{What: "XML"}
	}
	return &tree.Other{What: "a value of another kind"}
}

// A translator makes trees of those of goja.
type translator struct{ tree *syntax.Tree }

func (t translator) at(i file.Idx) tree.At { return tree.At(t.tree.Offset(i)) }

func (t translator) other(n ast.Node, what string) *tree.Other {
	return &tree.Other{At: t.at(n.Idx0()), What: what}
}

func (t translator) exprs(list []ast.Expression) []tree.Expr {
	out := make([]tree.Expr, len(list))
	for i, x := range list {
		out[i] = t.expr(x)
	}
	return out
}

func (t translator) expr(x ast.Expression) tree.Expr {
	if seq, ok := x.(*ast.SequenceExpression); ok && len(seq.Sequence) == 0 {
		return &tree.Other{What: "an empty sequence"}
	}
	at := t.at(x.Idx0())
	switch x := x.(type) {
	case *ast.NumberLiteral:
		switch n := x.Value.(type) {
		case int64:
			return &tree.Number{At: at, Value: float64(n)}
		case float64:
			return &tree.Number{At: at, Value: n}
		}
		return t.other(x, "a BigInt")
	case *ast.StringLiteral:
		if s, ok := plainText(x.Value); ok {
			return &tree.String{At: at, Value: s}
		}
		return t.other(x, "a string with half a surrogate pair")
	case *ast.BooleanLiteral:
		return &tree.Bool{At: at, Value: x.Value}
	case *ast.NullLiteral:
		return &tree.Null{At: at}
	case *ast.Identifier:
		return &tree.Name{At: at, Name: x.Name.String()}
	case *ast.DotExpression:
		of, optional := t.object(x.Left)
		return &tree.Member{At: at, Of: of, Name: x.Identifier.Name.String(), Optional: optional}
	case *ast.ArrayLiteral:
		out := &tree.Array{At: at}
		for _, item := range x.Value {
			if item == nil {
				out.Items = append(out.Items, nil)
			} else {
				out.Items = append(out.Items, t.expr(item))
			}
		}
		return out
	case *ast.ObjectLiteral:
		return t.objectLiteral(x)
	case *ast.FunctionLiteral:
		return t.function(x)
	case *ast.ArrowFunctionLiteral:
		return t.arrow(x)
	case *ast.NewExpression:
		return &tree.New{At: at, Func: t.expr(x.Callee), Args: t.exprs(x.ArgumentList)}
	case *ast.BracketExpression:
		of, optional := t.object(x.Left)
		if s, ok := x.Member.(*ast.StringLiteral); ok {
			if name, ok := plainText(s.Value); ok {
				return &tree.Member{At: at, Of: of, Name: name, Optional: optional}
			}
		}
		return &tree.Index{At: at, Of: of, Key: t.expr(x.Member), Optional: optional}
	case *ast.OptionalChain:
		return &tree.Chain{At: at, X: t.expr(x.Expression)}
	case *ast.CallExpression:
		if id, ok := x.Callee.(*ast.Identifier); ok && syntax.IsBound(id.Name.String()) {
			if name := id.Name.String(); name == syntax.BoundChange || name == syntax.BoundItems && len(x.ArgumentList) == 1 {
				return t.expr(x.ArgumentList[0])
			}
			return t.other(x, "code with eval, a BigInt or ...")
		}
		f, optional := t.object(x.Callee)
		return &tree.Call{At: at, Func: f, Args: t.exprs(x.ArgumentList), Optional: optional}
	case *ast.UnaryExpression:
		op := x.Operator.String()
		switch x.Operator {
		case token.PLUS, token.MINUS, token.NOT, token.BITWISE_NOT, token.TYPEOF, token.VOID, token.DELETE:
			return &tree.Unary{At: at, Op: op, X: t.expr(x.Operand)}
		case token.INCREMENT, token.DECREMENT:
			return &tree.Update{At: at, Op: op, To: t.expr(x.Operand), Prefix: !x.Postfix}
		}
		return t.other(x, "the operator "+op)
	case *ast.BinaryExpression:
		return &tree.Binary{At: at, Op: x.Operator.String(), X: t.expr(x.Left), Y: t.expr(x.Right)}
	case *ast.ConditionalExpression:
		return &tree.Conditional{At: at, Test: t.expr(x.Test), Then: t.expr(x.Consequent), Else: t.expr(x.Alternate)}
	case *ast.SequenceExpression:
		return &tree.Sequence{At: at, List: t.exprs(x.Sequence)}
	case *ast.AssignExpression:
		op := ""
		if x.Operator != token.ASSIGN { // goja has the operator without the =
			op = x.Operator.String()
		}
		return &tree.Assign{At: at, Op: op, To: t.expr(x.Left), Value: t.expr(x.Right)}
	case *ast.TemplateLiteral:
		return t.template(x)
	}
	return t.other(x, exprWords(x))
}

// objectLiteral translates an object literal.
func (t translator) objectLiteral(x *ast.ObjectLiteral) tree.Expr {
	out := &tree.Object{At: t.at(x.Idx0())}
	for _, p := range x.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			if p.Initializer != nil {
				return t.other(x, "a destructuring pattern")
			}
			at := t.at(p.Name.Idx)
			out.Props = append(out.Props, tree.Prop{Key: &tree.String{At: at, Value: p.Name.Name.String()}, Value: &tree.Name{At: at, Name: p.Name.Name.String()}})
		case *ast.PropertyKeyed:
			key := t.expr(p.Key)
			if n, ok := key.(*tree.Number); ok && !p.Computed {
				key = &tree.String{At: n.At, Value: datamodel.Text(n.Value)}
			}
			name, _ := key.(*tree.String)
			switch {
			case p.Kind == ast.PropertyKindGet || p.Kind == ast.PropertyKindSet:
				return t.other(x, "an object with a getter or setter")
			case name != nil && name.Value == "__proto__" && !p.Computed:
				return t.other(x, "an object with a prototype")
			}
			out.Props = append(out.Props, tree.Prop{Key: key, Value: t.expr(p.Value)})
		default:
			return t.other(x, "an object with the spread syntax ...")
		}
	}
	return out
}

func (t translator) function(x *ast.FunctionLiteral) tree.Expr {
	switch {
	case x.Async:
		return t.other(x, "an async function")
	case x.Generator:
		return t.other(x, "a generator")
	}
	out := &tree.Func{At: t.at(x.Idx0())}
	if x.Name != nil {
		out.Name = x.Name.Name.String()
	}
	if other := t.params(x, x.ParameterList, out); other != nil {
		return other
	}
	out.Body = t.list(x.Body.List)
	return out
}

func (t translator) arrow(x *ast.ArrowFunctionLiteral) tree.Expr {
	if x.Async {
		return t.other(x, "an async function")
	}
	out := &tree.Func{At: t.at(x.Idx0()), Arrow: true}
	if other := t.params(x, x.ParameterList, out); other != nil {
		return other
	}
	switch body := x.Body.(type) {
	case *ast.BlockStatement:
		out.Body = t.list(body.List)
	case *ast.ExpressionBody:
		value := t.expr(body.Expression)
		out.Body = []tree.Stmt{&tree.Return{At: tree.At(value.Offset()), X: value}}
	}
	return out
}

// params translates the parameters of a function, or returns what cannot be.
func (t translator) params(x ast.Expression, list *ast.ParameterList, out *tree.Func) tree.Expr {
	if list.Rest != nil {
		return t.other(x, "a function with a rest parameter")
	}
	for _, b := range list.List {
		id, ok := b.Target.(*ast.Identifier)
		if !ok {
			return t.other(x, "a function with a destructuring pattern")
		}
		p := tree.Param{At: t.at(id.Idx), Name: id.Name.String()}
		if b.Initializer != nil {
			p.Default = t.expr(b.Initializer)
		}
		out.Params = append(out.Params, p)
	}
	return nil
}

// object translates what may be followed by ?. instead of a dot.
func (t translator) object(x ast.Expression) (of tree.Expr, optional bool) {
	if o, ok := x.(*ast.Optional); ok {
		return t.expr(o.Expression), true
	}
	return t.expr(x), false
}

func (t translator) template(x *ast.TemplateLiteral) tree.Expr {
	if x.Tag != nil {
		return t.other(x.Tag, "a template with a tag")
	}
	out := &tree.Template{At: t.at(x.OpenQuote), Values: t.exprs(x.Expressions)}
	for _, e := range x.Elements {
		s, ok := plainText(e.Parsed)
		if !ok {
			return t.other(x, "a string with half a surrogate pair")
		}
		out.Texts = append(out.Texts, s)
	}
	return out
}

// plainText returns a string of the parser's, unless it has half a surrogate pair.
func plainText(s unistring.String) (string, bool) {
	units := s.AsUtf16()
	for i := 0; i < len(units); i++ {
		if !utf16.IsSurrogate(rune(units[i])) {
			continue
		}
		if i+1 == len(units) || utf16.DecodeRune(rune(units[i]), rune(units[i+1])) == '\ufffd' {
			return "", false
		}
		i++
	}
	return s.String(), true
}

// exprWords says what a node is that does not have a translation.
func exprWords(x ast.Expression) string {
	switch x := x.(type) {
	case *ast.ClassLiteral:
		return "a class"
	case *ast.RegExpLiteral:
		return "a regular expression"
	case *ast.ThisExpression:
		return "this"
	case *ast.SuperExpression:
		return "super"
	case *ast.YieldExpression:
		return "yield"
	case *ast.AwaitExpression:
		return "await"
	case *ast.SpreadElement:
		return "the spread syntax ..."
	case *ast.MetaProperty:
		return x.Meta.Name.String() + "." + x.Property.Name.String()
	case *ast.PrivateDotExpression:
		return "a private member"
	case *ast.ArrayPattern, *ast.ObjectPattern:
		return "a destructuring pattern"
	}
	return "an expression of another kind"
}

func (t translator) list(list []ast.Statement) []tree.Stmt {
	var out []tree.Stmt
	for _, s := range list {
		out = append(out, t.stmts(s)...)
	}
	return out
}

// stmt returns a statement as one.
func (t translator) stmt(s ast.Statement) tree.Stmt {
	if list := t.stmts(s); len(list) == 1 {
		return list[0]
	} else {
		return &tree.Block{At: t.at(s.Idx0()), List: list}
	}
}

// stmts returns a statement; a declaration of several variables is several.
func (t translator) stmts(s ast.Statement) []tree.Stmt {
	switch s := s.(type) {
	case *ast.VariableStatement:
		return t.declaration(s, "var", s.List)
	case *ast.LexicalDeclaration:
		return t.declaration(s, s.Token.String(), s.List)
	}
	at := t.at(s.Idx0())
	switch s := s.(type) {
	case *ast.ExpressionStatement:
		return []tree.Stmt{&tree.ExprStmt{At: at, X: t.expr(s.Expression)}}
	case *ast.IfStatement:
		out := &tree.If{At: t.at(s.Test.Idx0()), Test: t.expr(s.Test), Then: t.stmt(s.Consequent)} // the parser does not say where the if is
		if s.Alternate != nil {
			out.Else = t.stmt(s.Alternate)
		}
		return []tree.Stmt{out}
	case *ast.BlockStatement:
		return []tree.Stmt{&tree.Block{At: at, List: t.list(s.List)}}
	case *ast.EmptyStatement:
		return []tree.Stmt{&tree.Empty{At: at}}
	case *ast.FunctionDeclaration:
		f := t.function(s.Function)
		if f, ok := f.(*tree.Func); ok {
			return []tree.Stmt{&tree.FuncDecl{At: at, Func: f}}
		}
		return []tree.Stmt{f.(*tree.Other)}
	case *ast.ForStatement:
		return []tree.Stmt{t.forLoop(at, s)}
	case *ast.ForInStatement:
		return []tree.Stmt{t.forIn(s, at, false, s.Into, s.Source, s.Body)}
	case *ast.ForOfStatement:
		return []tree.Stmt{t.forIn(s, at, true, s.Into, s.Source, s.Body)}
	case *ast.WhileStatement:
		return []tree.Stmt{&tree.While{At: at, Test: t.expr(s.Test), Body: t.stmt(s.Body)}}
	case *ast.DoWhileStatement:
		return []tree.Stmt{&tree.While{At: at, Do: true, Test: t.expr(s.Test), Body: t.stmt(s.Body)}}
	case *ast.SwitchStatement:
		out := &tree.Switch{At: at, X: t.expr(s.Discriminant)}
		for _, c := range s.Body {
			one := tree.Case{Body: t.list(c.Consequent)}
			if c.Test != nil {
				one.Test = t.expr(c.Test)
			}
			out.Cases = append(out.Cases, one)
		}
		return []tree.Stmt{out}
	case *ast.ReturnStatement:
		out := &tree.Return{At: at}
		if s.Argument != nil {
			out.X = t.expr(s.Argument)
		}
		return []tree.Stmt{out}
	case *ast.BranchStatement:
		out := &tree.Jump{At: at, Continue: s.Token == token.CONTINUE}
		if s.Label != nil {
			out.Label = s.Label.Name.String()
		}
		return []tree.Stmt{out}
	case *ast.LabelledStatement:
		return []tree.Stmt{&tree.Labelled{At: at, Label: s.Label.Name.String(), Stmt: t.stmt(s.Statement)}}
	case *ast.ThrowStatement:
		return []tree.Stmt{&tree.Throw{At: at, X: t.expr(s.Argument)}}
	case *ast.TryStatement:
		return []tree.Stmt{t.try(s, at)}
	}
	return []tree.Stmt{t.other(s, stmtWords(s))}
}

func (t translator) declaration(s ast.Statement, kind string, list []*ast.Binding) []tree.Stmt {
	var out []tree.Stmt
	for _, b := range list {
		id, ok := b.Target.(*ast.Identifier)
		if !ok {
			out = append(out, t.other(s, "a destructuring pattern"))
			continue
		}
		v := &tree.Var{At: t.at(id.Idx), Kind: kind, Name: id.Name.String()}
		if b.Initializer != nil {
			v.Init = t.expr(b.Initializer)
		}
		out = append(out, v)
	}
	return out
}

func (t translator) forLoop(at tree.At, s *ast.ForStatement) tree.Stmt {
	out := &tree.For{At: at, Body: t.stmt(s.Body)}
	switch init := s.Initializer.(type) {
	case *ast.ForLoopInitializerExpression:
		x := t.expr(init.Expression)
		out.Init = []tree.Stmt{&tree.ExprStmt{At: tree.At(x.Offset()), X: x}}
	case *ast.ForLoopInitializerVarDeclList:
		out.Init = t.declaration(s, "var", init.List)
	case *ast.ForLoopInitializerLexicalDecl:
		out.Init = t.declaration(s, init.LexicalDeclaration.Token.String(), init.LexicalDeclaration.List)
	}
	if s.Test != nil {
		out.Test = t.expr(s.Test)
	}
	if s.Update != nil {
		out.Update = t.expr(s.Update)
	}
	return out
}

func (t translator) forIn(s ast.Statement, at tree.At, each bool, into ast.ForInto, source ast.Expression, body ast.Statement) tree.Stmt {
	out := &tree.ForIn{At: at, Each: each, X: t.expr(source), Body: t.stmt(body)}
	var target ast.Expression
	switch into := into.(type) {
	case *ast.ForIntoVar:
		out.Kind, target = "var", into.Binding.Target
		if into.Binding.Initializer != nil {
			return t.other(s, "a loop for … in with a value at first")
		}
	case *ast.ForDeclaration:
		out.Kind, target = "let", into.Target
		if into.IsConst {
			out.Kind = "const"
		}
	case *ast.ForIntoExpression:
		target = into.Expression
	}
	id, ok := target.(*ast.Identifier)
	if !ok {
		return t.other(s, "a loop over something else than a variable")
	}
	out.Name = id.Name.String()
	return out
}

func (t translator) try(s *ast.TryStatement, at tree.At) tree.Stmt {
	out := &tree.Try{At: at, Body: t.list(s.Body.List)}
	if s.Catch != nil {
		out.Catch = &tree.Block{At: t.at(s.Catch.Idx0()), List: t.list(s.Catch.Body.List)}
		if s.Catch.Parameter != nil {
			id, ok := s.Catch.Parameter.(*ast.Identifier)
			if !ok {
				return t.other(s, "a destructuring pattern")
			}
			out.Param = id.Name.String()
		}
	}
	if s.Finally != nil {
		out.Finally = &tree.Block{At: t.at(s.Finally.Idx0()), List: t.list(s.Finally.List)}
	}
	return out
}

func stmtWords(s ast.Statement) string {
	switch s.(type) {
	case *ast.ClassDeclaration:
		return "a class"
	case *ast.WithStatement:
		return "a statement with"
	case *ast.DebuggerStatement:
		return "a statement debugger"
	}
	return "a statement of another kind"
}
