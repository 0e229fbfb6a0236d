package null

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Check finds the state that a condition In(id) asks for, see [datamodel.Checker].
func (language) Check(kind datamodel.Kind, src datamodel.Source) []datamodel.Finding {
	if kind != datamodel.Condition {
		return nil
	}
	id, err := parse(src)
	if err != nil {
		return nil
	}
	open := strings.IndexByte(src.Text, '(')
	at := open + strings.Index(src.Text[open:], id)
	return []datamodel.Finding{{Kind: datamodel.StatePredicate, Pos: src.Position(at), Text: id}}
}
