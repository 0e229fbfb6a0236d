package ecmascript

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
)

// New returns the ECMAScript data model.
func New() datamodel.Language { return language{} }

// A language has no state: what is compiled knows all that it needs.
type language struct{}

func (language) Name() string { return "ecmascript" }

func (language) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	e := compile(kind, src)
	if e.err != nil {
		return e, e.err
	}
	return e, nil
}

func (language) NewStore(host datamodel.Host) (datamodel.Store, error) {
	return &store{host: host}, nil
}
