// In a page without a server there is no file on disk: this file takes the place of the one for scxmlrun edit.

export class OnDisk {
  static async open() { return null; }
}
