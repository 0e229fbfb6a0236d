// An extension of Visual Studio Code. The work is done by the command scxmlrun.
'use strict';

const debug = require('./debug');
const language = require('./language');

exports.activate = (context) => {
  debug.activate(context); // works without "npm install"
  return language.activate(context);
};
exports.deactivate = () => language.deactivate();
