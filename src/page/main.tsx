import { render } from 'preact';
import { App } from './app.js';
import { chooseSource } from './source.js';
import './style.css';

const place = document.getElementById('page');
if (place !== null) {
  place.replaceChildren();
  render(<App source={chooseSource()} />, place);
}
