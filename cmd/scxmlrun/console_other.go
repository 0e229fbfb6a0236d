//go:build !unix

package main

func (c *console) watchSignals() {}
func (c *console) stopSelf(byte) {}
