//go:build !unix

package console

func (c *Console) watchSignals() {}
func (c *Console) stopSelf(byte) {}
